-- French versions of the emails about appointments and balances, for patients who prefer French.
INSERT INTO "email_templates" ("name", "subject", "category", "body", "variables") VALUES
  ('appointment_confirmation_fr', 'Votre rendez-vous du {{appointment_day}}', 'transactional', 'Bonjour {{first_name}},

Votre rendez-vous chez {{company_name}} est pris :

{{appointment_day}} à {{appointment_time}}
Avec {{appointment_provider}}
{{appointment_place}}

Veuillez le confirmer ou demander un autre moment ici :
{{appointment_link}}

Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre rendez-vous chez {{company_name}} est pris :</p>\n<p>{{appointment_day}} à {{appointment_time}}<br>Avec {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>Veuillez le confirmer ou demander un autre moment ici : <a href=\"{{appointment_link}}\">votre rendez-vous</a></p>\n<p>Le fichier joint à ce courriel l’ajoute à votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('appointment_changed_fr', 'Votre rendez-vous a changé : {{appointment_day}}', 'transactional', 'Bonjour {{first_name}},

Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :

{{appointment_day}} à {{appointment_time}}
Avec {{appointment_provider}}
{{appointment_place}}

Veuillez le confirmer ou demander un autre moment ici :
{{appointment_link}}

Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre rendez-vous chez {{company_name}} a changé. Il est maintenant prévu :</p>\n<p>{{appointment_day}} à {{appointment_time}}<br>Avec {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>Veuillez le confirmer ou demander un autre moment ici : <a href=\"{{appointment_link}}\">votre rendez-vous</a></p>\n<p>Le fichier joint à ce courriel le modifie dans votre calendrier. Si vous avez des questions, répondez simplement à ce courriel.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('appointment_cancelled_fr', 'Votre rendez-vous du {{appointment_day}} est annulé', 'transactional', 'Bonjour {{first_name}},

Votre rendez-vous chez {{company_name}} du {{appointment_day}} à {{appointment_time}} est annulé.

Si vous souhaitez un autre moment, répondez simplement à ce courriel et nous en trouverons un.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre rendez-vous chez {{company_name}} du {{appointment_day}} à {{appointment_time}} est annulé.</p>\n<p>Si vous souhaitez un autre moment, répondez simplement à ce courriel et nous en trouverons un.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('appointment_reminder_fr', 'Rappel de votre rendez-vous du {{appointment_day}}', 'transactional', 'Bonjour {{first_name}},

Nous vous attendons chez {{company_name}} :

{{appointment_day}} à {{appointment_time}}
Avec {{appointment_provider}}
{{appointment_place}}

Si vous n’avez pas encore confirmé, ou s’il vous faut un autre moment, dites-le-nous ici :
{{appointment_link}}

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Nous vous attendons chez {{company_name}} :</p>\n<p>{{appointment_day}} à {{appointment_time}}<br>Avec {{appointment_provider}}<br>{{appointment_place}}</p>\n<p>Si vous n’avez pas encore confirmé, ou s’il vous faut un autre moment, dites-le-nous ici : <a href=\"{{appointment_link}}\">votre rendez-vous</a></p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('payment_reminder_fr', 'Votre solde chez {{company_name}}', 'transactional', 'Bonjour {{first_name}},

Votre solde chez {{company_name}} est de {{balance_due}}.

{{balance_details}}

Votre relevé de compte est joint à ce courriel. Si vous avez déjà payé, merci.

Pour payer ou poser une question, {{payment_contact}}.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Votre solde chez {{company_name}} est de {{balance_due}}.</p>\n<p>{{balance_details}}</p>\n<p>Votre relevé de compte est joint à ce courriel. Si vous avez déjà payé, merci.</p>\n<p>Pour payer ou poser une question, {{payment_contact}}.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}')
ON CONFLICT DO NOTHING;
