-- What a new clinic begins with; a template of the same name stays as it is.
insert into email_templates (name, subject, body, category, variables) values
  ('appointment_confirmation', 'Your appointment on {{appointment_day}}', 'Hello {{first_name}},

Your appointment at {{company_name}} is booked:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

Please confirm it, or ask for another time, here:
{{appointment_link}}

The file with this e-mail puts it into your calendar. If you have questions, just answer this e-mail.

Kind regards,
{{company_name}}', 'transactional', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>Your appointment at {{company_name}} is booked:</p>
<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>
<p>Please confirm it, or ask for another time, here: <a href="{{appointment_link}}">your appointment</a></p>
<p>The file with this e-mail puts it into your calendar. If you have questions, just answer this e-mail.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('appointment_changed', 'Your appointment has changed: {{appointment_day}}', 'Hello {{first_name}},

Your appointment at {{company_name}} has changed. It is now:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

Please confirm it, or ask for another time, here:
{{appointment_link}}

The file with this e-mail changes it in your calendar. If you have questions, just answer this e-mail.

Kind regards,
{{company_name}}', 'transactional', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>Your appointment at {{company_name}} has changed. It is now:</p>
<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>
<p>Please confirm it, or ask for another time, here: <a href="{{appointment_link}}">your appointment</a></p>
<p>The file with this e-mail changes it in your calendar. If you have questions, just answer this e-mail.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('appointment_cancelled', 'Your appointment on {{appointment_day}} is cancelled', 'Hello {{first_name}},

Your appointment at {{company_name}} on {{appointment_day}} at {{appointment_time}} is cancelled.

If you would like another time, just answer this e-mail and we will find one.

Kind regards,
{{company_name}}', 'transactional', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>Your appointment at {{company_name}} on {{appointment_day}} at {{appointment_time}} is cancelled.</p>
<p>If you would like another time, just answer this e-mail and we will find one.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('appointment_reminder', 'A reminder of your appointment on {{appointment_day}}', 'Hello {{first_name}},

We look forward to seeing you at {{company_name}}:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

If you have not confirmed yet, or need another time, please tell us here:
{{appointment_link}}

Kind regards,
{{company_name}}', 'transactional', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>We look forward to seeing you at {{company_name}}:</p>
<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>
<p>If you have not confirmed yet, or need another time, please tell us here: <a href="{{appointment_link}}">your appointment</a></p>
<p>Kind regards,<br>{{company_name}}</p>'))
on conflict do nothing;
