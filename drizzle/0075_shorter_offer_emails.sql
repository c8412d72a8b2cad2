-- Below this email is a box with the button that answers the offer. Emails that were edited stay.
-- exception: backfill: at most two rows
UPDATE "email_templates" SET
  "body" = replace(replace(replace(replace("body",
    E'\n\nTo take it or pass it on, please answer here:\n{{appointment_link}}', ''),
    E'\n\nPour la prendre ou la laisser, veuillez répondre ici :\n{{appointment_link}}', ''),
    E'\n\nKind regards,\n{{company_name}}', ''),
    E'\n\nCordialement,\n{{company_name}}', ''),
  "variables" = jsonb_build_object('html_content', replace(replace(replace(replace("variables" ->> 'html_content',
    E'\n<p>To take it or pass it on, please answer here: <a href="{{appointment_link}}">your appointment</a></p>', ''),
    E'\n<p>Pour la prendre ou la laisser, veuillez répondre ici : <a href="{{appointment_link}}">votre rendez-vous</a></p>', ''),
    E'\n<p>Kind regards,<br>{{company_name}}</p>', ''),
    E'\n<p>Cordialement,<br>{{company_name}}</p>', ''))
WHERE "name" IN ('appointment_offer', 'appointment_offer_fr')
  AND "version" = 1 AND "updated_by" IS NULL;
