CREATE TABLE "health_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"detail" text,
	"severity" text,
	"dose" text,
	"stop_days" integer,
	"is_weight_loss" boolean DEFAULT false NOT NULL,
	"year" integer,
	"anaesthesia" text,
	"status" text NOT NULL,
	"error_reason" text,
	"source" text DEFAULT 'staff' NOT NULL,
	"source_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "health_entries_kind" CHECK ("health_entries"."kind" in ('allergy', 'medication', 'condition', 'surgery', 'nicotine', 'pregnancy', 'implant', 'alert')),
	CONSTRAINT "health_entries_status" CHECK ("health_entries"."status" in ('active', 'past', 'entered_in_error')),
	CONSTRAINT "health_entries_error" CHECK (("health_entries"."status" = 'entered_in_error') = ("health_entries"."error_reason" is not null)),
	CONSTRAINT "health_entries_severity" CHECK ("health_entries"."severity" in ('mild', 'moderate', 'severe'))
);
--> statement-breakpoint
CREATE TABLE "health_reviews" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"section" text NOT NULL,
	"active_entries" integer NOT NULL,
	"reviewed_by" uuid,
	"reviewed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "health_reviews_section" CHECK ("health_reviews"."section" in ('allergies', 'medications', 'history'))
);
--> statement-breakpoint
CREATE TABLE "measurements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"height_cm" integer,
	"weight_kg" numeric(4, 1),
	"systolic" integer,
	"diastolic" integer,
	"blood_type" text,
	"asa_class" integer,
	"measured_on" date NOT NULL,
	"measured_by" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "weight_loss_from_chart" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "health_entries" ADD CONSTRAINT "health_entries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_entries" ADD CONSTRAINT "health_entries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_entries" ADD CONSTRAINT "health_entries_updated_by_profiles_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_reviews" ADD CONSTRAINT "health_reviews_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_reviews" ADD CONSTRAINT "health_reviews_reviewed_by_profiles_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "measurements" ADD CONSTRAINT "measurements_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "measurements" ADD CONSTRAINT "measurements_measured_by_profiles_id_fk" FOREIGN KEY ("measured_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "health_entries_contact" ON "health_entries" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "health_reviews_contact" ON "health_reviews" USING btree ("contact_id","section","reviewed_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "measurements_contact" ON "measurements" USING btree ("contact_id","measured_on" DESC NULLS LAST,"id" DESC NULLS LAST);