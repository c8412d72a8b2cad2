-- Emails and text messages about appointments that need no confirmation.
INSERT INTO "email_templates" ("name", "channel", "subject", "category", "body", "variables") VALUES
  ('appointment_booked', 'email', 'Your appointment on {{appointment_day}}', 'transactional', 'Hello {{first_name}},

Your appointment at {{company_name}} is booked:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

If you need another time or want to cancel it, please go here:
{{appointment_link}}

The file attached to this email puts it into your calendar. If you have questions, just reply to this email.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your appointment at {{company_name}} is booked:</p>\n<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>If you need another time or want to cancel it, please go here: <a href=\"{{appointment_link}}\">your appointment</a></p>\n<p>The file attached to this email puts it into your calendar. If you have questions, just reply to this email.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_updated', 'email', 'Your appointment has changed: {{appointment_day}}', 'transactional', 'Hello {{first_name}},

Your appointment at {{company_name}} has changed. It is now:

{{appointment_day}} at {{appointment_time}}
With {{appointment_provider}}
{{appointment_place}}

If you need another time or want to cancel it, please go here:
{{appointment_link}}

The file attached to this email changes it in your calendar. If you have questions, just reply to this email.

Kind regards,
{{company_name}}', '{"html_content":"<p>Hello {{first_name}},</p>\n<p>Your appointment at {{company_name}} has changed. It is now:</p>\n<p>{{appointment_day}} at {{appointment_time}}<br>With {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>If you need another time or want to cancel it, please go here: <a href=\"{{appointment_link}}\">your appointment</a></p>\n<p>The file attached to this email changes it in your calendar. If you have questions, just reply to this email.</p>\n<p>Kind regards,<br>{{company_name}}</p>"}'),
  ('appointment_booked_fr', 'email', 'Votre rendez-vous du {{appointment_day}}', 'transactional', 'Bonjour {{first_name}},

Votre rendez-vous chez {{company_name}} est pris :

{{appointment_day}} à {{appointment_time}}
Avec {{appointment_provider}}
{{appointment_place}}

S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici :
{{appointment_link}}

Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre rendez-vous chez {{company_name}} est pris :</p>\n<p>{{appointment_day}} à {{appointment_time}}<br>Avec {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici : <a href=\"{{appointment_link}}\">votre rendez-vous</a></p>\n<p>Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('appointment_updated_fr', 'email', 'Votre rendez-vous a changé : {{appointment_day}}', 'transactional', 'Bonjour {{first_name}},

Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :

{{appointment_day}} à {{appointment_time}}
Avec {{appointment_provider}}
{{appointment_place}}

S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici :
{{appointment_link}}

Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :</p>\n<p>{{appointment_day}} à {{appointment_time}}<br>Avec {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici : <a href=\"{{appointment_link}}\">votre rendez-vous</a></p>\n<p>Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('appointment_booked_text', 'text', '', 'transactional', '{{company_name}}: your appointment is booked.
{{appointment_day}}, {{appointment_time}}
For another time or to cancel: {{appointment_link}}', '{"html_content":null}'),
  ('appointment_updated_text', 'text', '', 'transactional', '{{company_name}}: your appointment has changed. It is now:
{{appointment_day}}, {{appointment_time}}
For another time or to cancel: {{appointment_link}}', '{"html_content":null}'),
  ('appointment_booked_text_fr', 'text', '', 'transactional', '{{company_name}} : votre rendez-vous est pris.
{{appointment_day}} à {{appointment_time}}
Pour un autre moment ou pour annuler : {{appointment_link}}', '{"html_content":null}'),
  ('appointment_updated_text_fr', 'text', '', 'transactional', '{{company_name}} : votre rendez-vous a changé. Le voici :
{{appointment_day}} à {{appointment_time}}
Pour un autre moment ou pour annuler : {{appointment_link}}', '{"html_content":null}')
ON CONFLICT DO NOTHING;
