CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"basis" text NOT NULL,
	"source" text NOT NULL,
	"wording" text,
	"given_at" timestamp with time zone NOT NULL,
	"given_by" uuid,
	"expires_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" uuid,
	"withdrawal_source" text,
	"withdrawn_in_merge" uuid
);
--> statement-breakpoint
CREATE TABLE "welcomed_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"welcomed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_commercial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_sources" ADD COLUMN "sends_welcome" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_given_by_profiles_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_withdrawn_by_profiles_id_fk" FOREIGN KEY ("withdrawn_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_contact" ON "consents" USING btree ("contact_id","given_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "consents_merge" ON "consents" USING btree ("withdrawn_in_merge") WHERE "consents"."withdrawn_in_merge" is not null;--> statement-breakpoint
-- Who may be contacted so far has said so, as far as anybody knows: in what words and when exactly was not kept.
INSERT INTO "consents" ("contact_id", "basis", "source", "given_at")
SELECT "id", 'express', 'imported', "created_at" FROM "contacts" WHERE "consent_to_communicate";
