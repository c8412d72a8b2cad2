-- What a new clinic begins with; a template of the same name stays as it is.
insert into email_templates (name, subject, body, category, variables) values
  ('payment_reminder', 'Your balance with {{company_name}}', 'Hello {{first_name}},

Your balance with {{company_name}} is {{balance_due}}.

{{balance_details}}

Your statement of account is attached. If you have already paid, thank you.

To pay or ask a question, {{payment_contact}}.

Kind regards,
{{company_name}}', 'transactional', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>Your balance with {{company_name}} is {{balance_due}}.</p>
<p>{{balance_details}}</p>
<p>Your statement of account is attached. If you have already paid, thank you.</p>
<p>To pay or ask a question, {{payment_contact}}.</p>
<p>Kind regards,<br>{{company_name}}</p>'))
on conflict do nothing;
