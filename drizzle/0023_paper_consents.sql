ALTER TABLE "consent_forms" DROP CONSTRAINT "consent_forms_sent";--> statement-breakpoint
ALTER TABLE "consent_forms" DROP CONSTRAINT "consent_forms_complete";--> statement-breakpoint
ALTER TABLE "consent_forms" ADD COLUMN "document_id" uuid;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_paper" CHECK (("consent_forms"."sent_via" = 'paper') = ("consent_forms"."document_id" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_sent" CHECK ("consent_forms"."sent_via" in ('email', 'link', 'paper') and ("consent_forms"."sent_via" = 'email') = ("consent_forms"."sent_to" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_complete" CHECK ("consent_forms"."signed_at" is null or "consent_forms"."sent_via" = 'paper' or ("consent_forms"."text" is not null and "consent_forms"."text_hash" is not null and "consent_forms"."signing" is not null)) NOT VALID;--> statement-breakpoint
-- As before, and also why the email about a sealed copy was not sent.
CREATE OR REPLACE TRIGGER consent_forms_stay BEFORE UPDATE ON consent_forms FOR EACH ROW
  WHEN (OLD.status <> 'sent' AND (
    to_jsonb(OLD) - ARRAY['contact_id', 'status', 'email_problem', 'countersigned_at', 'countersigned_by', 'withdrawn_on', 'withdrawn_by', 'withdrawn_at', 'withdrawal_recorded_by', 'withdrawn_scopes']
      IS DISTINCT FROM to_jsonb(NEW) - ARRAY['contact_id', 'status', 'email_problem', 'countersigned_at', 'countersigned_by', 'withdrawn_on', 'withdrawn_by', 'withdrawn_at', 'withdrawal_recorded_by', 'withdrawn_scopes']
    OR (OLD.status <> NEW.status AND NOT (OLD.status = 'signed' AND NEW.status = 'withdrawn'))
    OR (OLD.status <> 'signed' AND to_jsonb(OLD) - ARRAY['contact_id', 'email_problem'] IS DISTINCT FROM to_jsonb(NEW) - ARRAY['contact_id', 'email_problem'])
    OR (OLD.countersigned_at IS NOT NULL AND (OLD.countersigned_at, OLD.countersigned_by) IS DISTINCT FROM (NEW.countersigned_at, NEW.countersigned_by))
    OR NOT OLD.withdrawn_scopes <@ NEW.withdrawn_scopes))
  EXECUTE FUNCTION keep_consent_form();
