CREATE TABLE "photo_consents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"purposes" text[] NOT NULL,
	"photo_ids" uuid[],
	"given_on" date NOT NULL,
	"expires_on" date,
	"note" text NOT NULL,
	"recorded_by" uuid,
	"recorded_at" timestamp with time zone NOT NULL,
	"withdrawn_on" date,
	"withdrawn_by" text,
	"withdrawal_recorded_by" uuid,
	"withdrawal_recorded_at" timestamp with time zone,
	CONSTRAINT "photo_consents_purposes" CHECK (cardinality("photo_consents"."purposes") > 0),
	CONSTRAINT "photo_consents_withdrawn" CHECK (("photo_consents"."withdrawn_on" is null) = ("photo_consents"."withdrawn_by" is null))
);
--> statement-breakpoint
CREATE TABLE "photo_links" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"recipient" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"opened" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	CONSTRAINT "photo_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "photo_uses" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"photo_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"consent_form_id" uuid,
	"form_scope" text,
	"photo_consent_id" uuid,
	"link_id" uuid,
	"place" text,
	"begun_by" uuid,
	"begun_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"removed_at" timestamp with time zone,
	"removed_by" uuid,
	CONSTRAINT "photo_uses_consent_named" CHECK (("photo_uses"."consent_form_id" is null) <> ("photo_uses"."photo_consent_id" is null)),
	CONSTRAINT "photo_uses_scope" CHECK (("photo_uses"."consent_form_id" is null) = ("photo_uses"."form_scope" is null)),
	CONSTRAINT "photo_uses_ended" CHECK (("photo_uses"."ended_at" is null) = ("photo_uses"."end_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "photo_series" ADD COLUMN "technique" text;--> statement-breakpoint
ALTER TABLE "photo_consents" ADD CONSTRAINT "photo_consents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_consents" ADD CONSTRAINT "photo_consents_recorded_by_profiles_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_consents" ADD CONSTRAINT "photo_consents_withdrawal_recorded_by_profiles_id_fk" FOREIGN KEY ("withdrawal_recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_links" ADD CONSTRAINT "photo_links_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_links" ADD CONSTRAINT "photo_links_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_photo_id_photos_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_consent_form_id_consent_forms_id_fk" FOREIGN KEY ("consent_form_id") REFERENCES "public"."consent_forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_photo_consent_id_photo_consents_id_fk" FOREIGN KEY ("photo_consent_id") REFERENCES "public"."photo_consents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_link_id_photo_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."photo_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_begun_by_profiles_id_fk" FOREIGN KEY ("begun_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_ended_by_profiles_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_uses" ADD CONSTRAINT "photo_uses_removed_by_profiles_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "photo_consents_contact" ON "photo_consents" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "photo_links_contact" ON "photo_links" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "photo_uses_photo" ON "photo_uses" USING btree ("photo_id");--> statement-breakpoint
CREATE INDEX "photo_uses_form" ON "photo_uses" USING btree ("consent_form_id");--> statement-breakpoint
CREATE INDEX "photo_uses_consent" ON "photo_uses" USING btree ("photo_consent_id");--> statement-breakpoint
CREATE INDEX "photo_uses_link" ON "photo_uses" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "photo_uses_live" ON "photo_uses" USING btree ("purpose","photo_id") WHERE "photo_uses"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "photo_uses_once" ON "photo_uses" USING btree ("photo_id","purpose") WHERE "photo_uses"."ended_at" is null and "photo_uses"."link_id" is null and "photo_uses"."place" is null;