-- What a new practice begins with; staff may change all of it.
INSERT INTO "funnel_stages" ("name", "value", "sort_order", "is_initial", "kind") VALUES
  ('Lead', 'lead', 1, true, 'open'),
  ('Contacted', 'contacted', 2, false, 'open'),
  ('Consult Booked', 'consult_booked', 3, false, 'open'),
  ('Consult Done', 'consult_done', 4, false, 'open'),
  ('Quote Sent', 'quote_sent', 5, false, 'open'),
  ('Surgery Booked', 'surgery_booked', 6, false, 'won'),
  ('Cold Lead', 'cold_lead', 7, false, 'lost');
--> statement-breakpoint
INSERT INTO "tags" ("name") VALUES
  ('Welcome');
--> statement-breakpoint
INSERT INTO "practice_hours" ("weekday", "opens", "closes") VALUES
  (1, '08:30', '16:30'),
  (2, '08:30', '16:30'),
  (3, '08:30', '16:30'),
  (4, '08:30', '16:30'),
  (5, '08:30', '16:30');
--> statement-breakpoint
INSERT INTO "locations" ("name", "sort_order") VALUES
  ('Main location', 1);
--> statement-breakpoint
INSERT INTO "rooms" ("name", "kind", "sort_order", "location_id")
SELECT room."name", room."kind", room."sort_order", locations."id" FROM "locations", (VALUES
  ('Consult room 1', 'consult', 1),
  ('Consult room 2', 'consult', 2),
  ('Treatment room', 'treatment', 3),
  ('Operating room', 'operating', 4)
) AS room ("name", "kind", "sort_order");
--> statement-breakpoint
INSERT INTO "checklist_templates" ("kind", "words", "owner_role", "due_days") VALUES
  ('consents', 'Consents signed', 'provider', -7),
  ('balance', 'Balance paid', 'billing', -7),
  ('specialist', 'Specialist’s results received', 'provider', -7),
  ('labs', 'Lab results reviewed', 'provider', -7),
  ('history', 'Health history and allergies reviewed', 'provider', -14),
  ('medication', 'Medications reviewed, stop list given', 'provider', -14),
  ('pre_op_visit', 'Pre-op visit', 'provider', -7),
  ('driver', 'Ride home and overnight caregiver arranged', 'front_desk', -2),
  ('post_op_visit', 'Post-op visit', 'provider', 7),
  ('other', 'Next-day call', 'front_desk', 1);
--> statement-breakpoint
INSERT INTO "email_templates" ("name", "subject", "category", "body", "variables") VALUES
  ('welcome_email', 'Thank you for contacting {{company_name}}', 'lead', 'Hello {{first_name}},

Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.

If you have questions before then, just answer this email.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.</p>\n<p>If you have questions before then, just answer this email.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('consult_reminder', 'Your upcoming consultation at {{company_name}}', 'appointment', 'Hello {{first_name}},

We look forward to seeing you for your consultation about {{procedure}}.

Please bring a list of your medications and allergies. If you need another time, answer this email and we will find one.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>We look forward to seeing you for your consultation about {{procedure}}.</p>\n<p>Please bring a list of your medications and allergies. If you need another time, answer this email and we will find one.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('follow_up', 'Do you have questions about {{procedure}}?', 'follow_up', 'Hello {{first_name}},

It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?

Reply any time.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?</p>\n<p>Reply any time.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('post_op_check', 'How are you feeling, {{first_name}}?', 'post_op', 'Hello {{first_name}},

We hope that you are recovering well. Please answer this email and tell us how you are feeling, and whether anything worries you.

If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>We hope that you are recovering well. Please answer this email and tell us how you are feeling, and whether anything worries you.</p>\n<p>If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_confirmation', 'Your appointment on {{appointment_day}}', 'transactional', 'Hello {{first_name}},

Your appointment at {{company_name}} is booked:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

Please confirm it, or ask for another time, here:
{{appointment_link}}

The file with this email puts it into your calendar. If you have questions, just answer this email.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your appointment at {{company_name}} is booked:</p>\n<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>Please confirm it, or ask for another time, here: <a href=\"{{appointment_link}}\">your appointment</a></p>\n<p>The file with this email puts it into your calendar. If you have questions, just answer this email.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_changed', 'Your appointment has changed: {{appointment_day}}', 'transactional', 'Hello {{first_name}},

Your appointment at {{company_name}} has changed. It is now:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

Please confirm it, or ask for another time, here:
{{appointment_link}}

The file with this email changes it in your calendar. If you have questions, just answer this email.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your appointment at {{company_name}} has changed. It is now:</p>\n<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>Please confirm it, or ask for another time, here: <a href=\"{{appointment_link}}\">your appointment</a></p>\n<p>The file with this email changes it in your calendar. If you have questions, just answer this email.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_cancelled', 'Your appointment on {{appointment_day}} is cancelled', 'transactional', 'Hello {{first_name}},

Your appointment at {{company_name}} on {{appointment_day}} at {{appointment_time}} is cancelled.

If you would like another time, just answer this email and we will find one.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your appointment at {{company_name}} on {{appointment_day}} at {{appointment_time}} is cancelled.</p>\n<p>If you would like another time, just answer this email and we will find one.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_reminder', 'A reminder of your appointment on {{appointment_day}}', 'transactional', 'Hello {{first_name}},

We look forward to seeing you at {{company_name}}:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

If you have not confirmed yet, or need another time, please tell us here:
{{appointment_link}}

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>We look forward to seeing you at {{company_name}}:</p>\n<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>If you have not confirmed yet, or need another time, please tell us here: <a href=\"{{appointment_link}}\">your appointment</a></p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('payment_reminder', 'Your balance with {{company_name}}', 'transactional', 'Hello {{first_name}},

Your balance with {{company_name}} is {{balance_due}}.

{{balance_details}}

Your statement of account is attached. If you have already paid, thank you.

To pay or ask a question, {{payment_contact}}.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your balance with {{company_name}} is {{balance_due}}.</p>\n<p>{{balance_details}}</p>\n<p>Your statement of account is attached. If you have already paid, thank you.</p>\n<p>To pay or ask a question, {{payment_contact}}.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}');
