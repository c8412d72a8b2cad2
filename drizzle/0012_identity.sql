CREATE TABLE "health_cards" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"province" text NOT NULL,
	"sealed_number" text NOT NULL,
	"last_digits" text NOT NULL,
	"version_code" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "health_cards_contact_id_unique" UNIQUE("contact_id")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "preferred_name" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "sex_at_birth" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "gender" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "emergency_contact_name" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "emergency_contact_phone" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "emergency_contact_relationship" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "family_physician" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "pharmacy" text;--> statement-breakpoint
ALTER TABLE "health_cards" ADD CONSTRAINT "health_cards_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Birth dates tell patients apart, too: whoever has one is looked at again.
CREATE OR REPLACE TRIGGER duplicates_of_changed AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.other_emails, OLD.other_phones, OLD.city, OLD.procedure_of_interest, OLD.date_of_birth)
    IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.other_emails, NEW.other_phones, NEW.city, NEW.procedure_of_interest, NEW.date_of_birth))
  EXECUTE FUNCTION check_changed_for_duplicates();--> statement-breakpoint
INSERT INTO duplicate_checks (patient_id) SELECT id FROM contacts WHERE date_of_birth IS NOT NULL;
