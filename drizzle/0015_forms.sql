CREATE TABLE "form_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"starter" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "form_versions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"template_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone,
	"published_by" uuid
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"status" text DEFAULT 'sent' NOT NULL,
	"sent_via" text NOT NULL,
	"sent_to" text,
	"sent_at" timestamp with time zone NOT NULL,
	"sent_by" uuid,
	"email_problem" text,
	"expires_at" timestamp with time zone NOT NULL,
	"language" text NOT NULL,
	"answers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone,
	"submitted_at" timestamp with time zone,
	"red_flags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" uuid,
	CONSTRAINT "forms_status" CHECK ("forms"."status" in ('sent', 'started', 'submitted', 'withdrawn')),
	CONSTRAINT "forms_sent" CHECK ("forms"."sent_via" in ('email', 'link') and ("forms"."sent_via" = 'email') = ("forms"."sent_to" is not null)),
	CONSTRAINT "forms_language" CHECK ("forms"."language" in ('en', 'fr')),
	CONSTRAINT "forms_progress" CHECK ("forms"."progress" between 0 and 100),
	CONSTRAINT "forms_submitted" CHECK (("forms"."status" = 'submitted') = ("forms"."submitted_at" is not null)),
	CONSTRAINT "forms_withdrawn" CHECK (("forms"."status" = 'withdrawn') = ("forms"."withdrawn_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_versions" ADD CONSTRAINT "form_versions_template_id_form_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."form_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_versions" ADD CONSTRAINT "form_versions_published_by_profiles_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_version_id_form_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."form_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_sent_by_profiles_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_withdrawn_by_profiles_id_fk" FOREIGN KEY ("withdrawn_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "form_versions_number" ON "form_versions" USING btree ("template_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "form_versions_draft" ON "form_versions" USING btree ("template_id") WHERE "form_versions"."published_at" is null;--> statement-breakpoint
CREATE INDEX "forms_contact" ON "forms" USING btree ("contact_id","sent_at");--> statement-breakpoint
CREATE INDEX "forms_version" ON "forms" USING btree ("version_id");--> statement-breakpoint
CREATE FUNCTION keep_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A submitted or withdrawn form stays as it is';
END $$;
--> statement-breakpoint
-- A merge gives a form to another patient.
CREATE TRIGGER forms_stay BEFORE UPDATE ON forms FOR EACH ROW
  WHEN (OLD.status IN ('submitted', 'withdrawn') AND to_jsonb(OLD) - 'contact_id' IS DISTINCT FROM to_jsonb(NEW) - 'contact_id')
  EXECUTE FUNCTION keep_form();
--> statement-breakpoint
CREATE FUNCTION keep_form_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A published form stays as it is';
END $$;
--> statement-breakpoint
CREATE TRIGGER form_versions_stay BEFORE UPDATE OR DELETE ON form_versions FOR EACH ROW WHEN (OLD.published_at IS NOT NULL)
  EXECUTE FUNCTION keep_form_version();
