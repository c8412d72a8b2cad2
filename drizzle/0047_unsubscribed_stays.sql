ALTER TABLE "suppressed_addresses" ALTER COLUMN "reason" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "suppressed_addresses" ADD COLUMN "unsubscribed_at" timestamp with time zone;--> statement-breakpoint
UPDATE suppressed_addresses SET unsubscribed_at = since, reason = NULL WHERE is_commercial_only;--> statement-breakpoint
-- Who unsubscribed and bounced later had the bounce alone written down, or nothing any more. The timeline knows; an express consent in between counts.
INSERT INTO suppressed_addresses (address, unsubscribed_at, since)
SELECT lower(replace(description, ' unsubscribed from commercial mail', '')) AS address, max(date), max(date) FROM interactions
WHERE type = 'contact_updated' AND created_by IS NULL AND description LIKE '%@% unsubscribed from commercial mail'
  AND NOT EXISTS (
    SELECT FROM consents WHERE consents.contact_id = interactions.contact_id AND basis = 'express'
      AND source IN ('in_person', 'phone', 'paper', 'email', 'web_form') AND given_at > interactions.date
  )
GROUP BY 1
ON CONFLICT (address) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at WHERE suppressed_addresses.unsubscribed_at IS NULL;--> statement-breakpoint
-- Who bounced and unsubscribed later ended their consent by the link, which said nothing of the address.
UPDATE suppressed_addresses SET unsubscribed_at = withdrawn.at
FROM (
  SELECT unnest(contacts.email || contacts.other_emails) AS email, max(ended.withdrawn_at) AS at
  FROM contacts JOIN consents AS ended ON ended.contact_id = contacts.id AND ended.withdrawal_source IN ('link', 'postmark')
  WHERE NOT EXISTS (
    SELECT FROM consents WHERE consents.contact_id = contacts.id AND basis = 'express'
      AND source IN ('in_person', 'phone', 'paper', 'email', 'web_form') AND given_at > ended.withdrawn_at
  )
  GROUP BY 1
) AS withdrawn
WHERE suppressed_addresses.address = lower(withdrawn.email) AND reason IS NOT NULL AND unsubscribed_at IS NULL AND since < withdrawn.at;--> statement-breakpoint
ALTER TABLE "suppressed_addresses" DROP COLUMN "is_commercial_only";
