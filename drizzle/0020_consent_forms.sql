CREATE TABLE "consent_events" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"consent_form_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"address" text,
	"device" text,
	"detail" jsonb NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_files" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"consent_form_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"storage_key" text NOT NULL,
	"size" integer NOT NULL,
	"sha256" text NOT NULL,
	"timestamp" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "consent_files_event_id_unique" UNIQUE("event_id"),
	CONSTRAINT "consent_files_storage_key_unique" UNIQUE("storage_key"),
	CONSTRAINT "consent_files_timestamp" CHECK ("consent_files"."timestamp" in ('none', 'pending', 'added'))
);
--> statement-breakpoint
CREATE TABLE "consent_forms" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"surgery_id" uuid,
	"status" text DEFAULT 'sent' NOT NULL,
	"sent_via" text NOT NULL,
	"sent_to" text,
	"sent_at" timestamp with time zone NOT NULL,
	"sent_by" uuid,
	"email_problem" text,
	"language" text NOT NULL,
	"substitute_name" text,
	"substitute_relation" text,
	"asked_at" timestamp with time zone,
	"text" jsonb,
	"text_hash" text,
	"procedure_ids" uuid[] DEFAULT '{}' NOT NULL,
	"signing" jsonb,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"signed_at" timestamp with time zone,
	"declined_at" timestamp with time zone,
	"decline_reason" text,
	"countersigned_at" timestamp with time zone,
	"countersigned_by" uuid,
	"withdrawn_on" date,
	"withdrawn_by" text,
	"withdrawn_at" timestamp with time zone,
	"withdrawal_recorded_by" uuid,
	"withdrawn_scopes" text[] DEFAULT '{}' NOT NULL,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" uuid,
	CONSTRAINT "consent_forms_status" CHECK ("consent_forms"."status" in ('sent', 'signed', 'declined', 'withdrawn', 'cancelled')),
	CONSTRAINT "consent_forms_sent" CHECK ("consent_forms"."sent_via" in ('email', 'link') and ("consent_forms"."sent_via" = 'email') = ("consent_forms"."sent_to" is not null)),
	CONSTRAINT "consent_forms_language" CHECK ("consent_forms"."language" in ('en', 'fr')),
	CONSTRAINT "consent_forms_substitute" CHECK (("consent_forms"."substitute_name" is null) = ("consent_forms"."substitute_relation" is null)),
	CONSTRAINT "consent_forms_signed" CHECK (("consent_forms"."status" in ('signed', 'withdrawn')) = ("consent_forms"."signed_at" is not null)),
	CONSTRAINT "consent_forms_complete" CHECK ("consent_forms"."signed_at" is null or ("consent_forms"."text" is not null and "consent_forms"."text_hash" is not null and "consent_forms"."signing" is not null)),
	CONSTRAINT "consent_forms_declined" CHECK (("consent_forms"."status" = 'declined') = ("consent_forms"."declined_at" is not null)),
	CONSTRAINT "consent_forms_cancelled" CHECK (("consent_forms"."status" = 'cancelled') = ("consent_forms"."cancelled_at" is not null)),
	CONSTRAINT "consent_forms_withdrawn" CHECK ("consent_forms"."status" <> 'withdrawn' or "consent_forms"."withdrawn_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "consent_template_versions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"template_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone,
	"published_by" uuid,
	"must_resign" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"starter" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
ALTER TABLE "consent_events" ADD CONSTRAINT "consent_events_consent_form_id_consent_forms_id_fk" FOREIGN KEY ("consent_form_id") REFERENCES "public"."consent_forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_events" ADD CONSTRAINT "consent_events_actor_id_profiles_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_files" ADD CONSTRAINT "consent_files_consent_form_id_consent_forms_id_fk" FOREIGN KEY ("consent_form_id") REFERENCES "public"."consent_forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_files" ADD CONSTRAINT "consent_files_event_id_consent_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."consent_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_version_id_consent_template_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."consent_template_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_sent_by_profiles_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_countersigned_by_profiles_id_fk" FOREIGN KEY ("countersigned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_withdrawal_recorded_by_profiles_id_fk" FOREIGN KEY ("withdrawal_recorded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_forms" ADD CONSTRAINT "consent_forms_cancelled_by_profiles_id_fk" FOREIGN KEY ("cancelled_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_template_versions" ADD CONSTRAINT "consent_template_versions_template_id_consent_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."consent_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_template_versions" ADD CONSTRAINT "consent_template_versions_published_by_profiles_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_templates" ADD CONSTRAINT "consent_templates_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consent_events_form" ON "consent_events" USING btree ("consent_form_id","id");--> statement-breakpoint
CREATE INDEX "consent_files_form" ON "consent_files" USING btree ("consent_form_id","id");--> statement-breakpoint
CREATE INDEX "consent_forms_contact" ON "consent_forms" USING btree ("contact_id","sent_at");--> statement-breakpoint
CREATE INDEX "consent_forms_surgery" ON "consent_forms" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "consent_forms_version" ON "consent_forms" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "consent_template_versions_number" ON "consent_template_versions" USING btree ("template_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "consent_template_versions_draft" ON "consent_template_versions" USING btree ("template_id") WHERE "consent_template_versions"."published_at" is null;--> statement-breakpoint
CREATE FUNCTION keep_consent_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A published consent form stays as it is';
END $$;
--> statement-breakpoint
CREATE TRIGGER consent_template_versions_stay BEFORE UPDATE OR DELETE ON consent_template_versions FOR EACH ROW
  WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION keep_consent_version();
--> statement-breakpoint
CREATE FUNCTION keep_consent_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A consent form that was signed, declined, withdrawn or cancelled stays as it is';
END $$;
--> statement-breakpoint
-- A merge gives it to another patient. A signed one is countersigned once, and withdrawn in parts or as a whole.
CREATE TRIGGER consent_forms_stay BEFORE UPDATE ON consent_forms FOR EACH ROW
  WHEN (OLD.status <> 'sent' AND (
    to_jsonb(OLD) - ARRAY['contact_id', 'status', 'countersigned_at', 'countersigned_by', 'withdrawn_on', 'withdrawn_by', 'withdrawn_at', 'withdrawal_recorded_by', 'withdrawn_scopes']
      IS DISTINCT FROM to_jsonb(NEW) - ARRAY['contact_id', 'status', 'countersigned_at', 'countersigned_by', 'withdrawn_on', 'withdrawn_by', 'withdrawn_at', 'withdrawal_recorded_by', 'withdrawn_scopes']
    OR (OLD.status <> NEW.status AND NOT (OLD.status = 'signed' AND NEW.status = 'withdrawn'))
    OR (OLD.status <> 'signed' AND to_jsonb(OLD) - 'contact_id' IS DISTINCT FROM to_jsonb(NEW) - 'contact_id')
    OR (OLD.countersigned_at IS NOT NULL AND (OLD.countersigned_at, OLD.countersigned_by) IS DISTINCT FROM (NEW.countersigned_at, NEW.countersigned_by))
    OR NOT OLD.withdrawn_scopes <@ NEW.withdrawn_scopes))
  EXECUTE FUNCTION keep_consent_form();
--> statement-breakpoint
CREATE FUNCTION keep_consent_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A step of a consent form stays as it is';
END $$;
--> statement-breakpoint
CREATE TRIGGER consent_events_stay BEFORE UPDATE ON consent_events FOR EACH ROW EXECUTE FUNCTION keep_consent_step();
--> statement-breakpoint
-- A time-stamp that was pending is added to the file later.
CREATE TRIGGER consent_files_stay BEFORE UPDATE ON consent_files FOR EACH ROW
  WHEN (NOT (OLD.timestamp = 'pending' AND NEW.timestamp = 'added')
    OR (OLD.id, OLD.consent_form_id, OLD.event_id, OLD.sealed_at) IS DISTINCT FROM (NEW.id, NEW.consent_form_id, NEW.event_id, NEW.sealed_at))
  EXECUTE FUNCTION keep_consent_step();
