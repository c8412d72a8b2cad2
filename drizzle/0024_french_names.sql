ALTER TABLE "procedures" ADD COLUMN "name_fr" text;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "subtitle_fr" text;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "hours_fr" text;--> statement-breakpoint
-- French versions of the templates of a new clinic.
INSERT INTO "email_templates" ("name", "subject", "category", "body", "variables") VALUES
  ('welcome_email_fr', 'Merci d’avoir communiqué avec {{company_name}}', 'lead', 'Bonjour {{first_name}},

Merci de votre intérêt pour {{company_name}}. Nous avons bien reçu votre demande, et un membre de notre équipe vous contactera bientôt.

Si vous avez des questions d’ici là, répondez simplement à ce courriel.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Merci de votre intérêt pour {{company_name}}. Nous avons bien reçu votre demande, et un membre de notre équipe vous contactera bientôt.</p>\n<p>Si vous avez des questions d’ici là, répondez simplement à ce courriel.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('consult_reminder_fr', 'Votre consultation à venir chez {{company_name}}', 'appointment', 'Bonjour {{first_name}},

Nous avons hâte de vous rencontrer pour votre consultation ({{procedure}}).

Veuillez apporter la liste de vos médicaments et de vos allergies. S’il vous faut un autre moment, répondez à ce courriel et nous en trouverons un.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Nous avons hâte de vous rencontrer pour votre consultation ({{procedure}}).</p>\n<p>Veuillez apporter la liste de vos médicaments et de vos allergies. S’il vous faut un autre moment, répondez à ce courriel et nous en trouverons un.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('follow_up_fr', 'Avez-vous des questions? ({{procedure}})', 'follow_up', 'Bonjour {{first_name}},

Nous avons été heureux de parler avec vous de l’intervention qui vous intéresse ({{procedure}}). Pouvons-nous vous expliquer quelque chose ou vous aider?

Vous pouvez nous répondre en tout temps.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Nous avons été heureux de parler avec vous de l’intervention qui vous intéresse ({{procedure}}). Pouvons-nous vous expliquer quelque chose ou vous aider?</p>\n<p>Vous pouvez nous répondre en tout temps.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}'),
  ('post_op_check_fr', 'Comment allez-vous, {{first_name}}?', 'post_op', 'Bonjour {{first_name}},

Nous espérons que votre convalescence se passe bien. Répondez à ce courriel pour nous dire comment vous vous sentez et si quelque chose vous inquiète.

En cas de douleur intense, de saignement abondant, de fièvre ou de difficulté à respirer, n’attendez pas notre réponse : composez le 911 ou rendez-vous à l’urgence la plus proche.

Cordialement,
{{company_name}}', '{"html_content":"<p>Bonjour {{first_name}},</p>\n<p>Nous espérons que votre convalescence se passe bien. Répondez à ce courriel pour nous dire comment vous vous sentez et si quelque chose vous inquiète.</p>\n<p>En cas de douleur intense, de saignement abondant, de fièvre ou de difficulté à respirer, n’attendez pas notre réponse : composez le 911 ou rendez-vous à l’urgence la plus proche.</p>\n<p>Cordialement,<br>{{company_name}}</p>"}')
ON CONFLICT DO NOTHING;
