-- Below these emails are boxes with the link and what was agreed, so that the templates need neither the link nor a closing. Those that were edited stay.
-- exception: backfill: at most four rows
UPDATE "email_templates" SET
  "body" = replace(replace(replace(replace("body",
    E'If you need another time or want to cancel it, please go here:\n{{appointment_link}}\n\n', ''),
    E'S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici :\n{{appointment_link}}\n\n', ''),
    E'\n\nKind regards,\n{{company_name}}', ''),
    E'\n\nCordialement,\n{{company_name}}', ''),
  "variables" = jsonb_build_object('html_content', replace(replace(replace(replace("variables" ->> 'html_content',
    E'<p>If you need another time or want to cancel it, please go here: <a href="{{appointment_link}}">your appointment</a></p>\n', ''),
    E'<p>S’il vous faut un autre moment ou si vous souhaitez l’annuler, c’est ici : <a href="{{appointment_link}}">votre rendez-vous</a></p>\n', ''),
    E'\n<p>Kind regards,<br>{{company_name}}</p>', ''),
    E'\n<p>Cordialement,<br>{{company_name}}</p>', ''))
WHERE "name" IN ('appointment_booked', 'appointment_updated', 'appointment_booked_fr', 'appointment_updated_fr')
  AND "version" = 1 AND "updated_by" IS NULL;
