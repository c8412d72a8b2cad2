-- Text messages about appointments, for patients who prefer text messages.
INSERT INTO "email_templates" ("name", "channel", "subject", "category", "body", "variables") VALUES
  ('appointment_confirmation_text', 'text', '', 'transactional', '{{company_name}}: your appointment is booked.
{{appointment_day}}, {{appointment_time}}
Confirm it or ask for another time: {{appointment_link}}', '{"html_content":null}'),
  ('appointment_changed_text', 'text', '', 'transactional', '{{company_name}}: your appointment has changed. It is now:
{{appointment_day}}, {{appointment_time}}
Confirm it or ask for another time: {{appointment_link}}', '{"html_content":null}'),
  ('appointment_cancelled_text', 'text', '', 'transactional', '{{company_name}}: this appointment is cancelled.
{{appointment_day}}, {{appointment_time}}
For another time, reply or call us.', '{"html_content":null}'),
  ('appointment_reminder_text', 'text', '', 'transactional', '{{company_name}}: see you soon.
{{appointment_day}}, {{appointment_time}}
Confirm or ask for another time: {{appointment_link}}', '{"html_content":null}'),
  ('appointment_confirmation_text_fr', 'text', '', 'transactional', '{{company_name}} : votre rendez-vous est pris.
{{appointment_day}} à {{appointment_time}}
Confirmez-le ou demandez un autre moment : {{appointment_link}}', '{"html_content":null}'),
  ('appointment_changed_text_fr', 'text', '', 'transactional', '{{company_name}} : votre rendez-vous a changé. Le voici :
{{appointment_day}} à {{appointment_time}}
Confirmez-le ou demandez un autre moment : {{appointment_link}}', '{"html_content":null}'),
  ('appointment_cancelled_text_fr', 'text', '', 'transactional', '{{company_name}} : ce rendez-vous est annulé.
{{appointment_day}} à {{appointment_time}}
Pour un autre moment, répondez ou appelez-nous.', '{"html_content":null}'),
  ('appointment_reminder_text_fr', 'text', '', 'transactional', '{{company_name}} : à bientôt.
{{appointment_day}} à {{appointment_time}}
Confirmez ou demandez un autre moment : {{appointment_link}}', '{"html_content":null}')
ON CONFLICT DO NOTHING;
