CREATE TABLE "appointments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"type" text NOT NULL,
	"provider_id" uuid,
	"room_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'booked' NOT NULL,
	"cancel_reason" text,
	"notes" text,
	"rebook_task_id" uuid,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "appointments_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "appointments_times" CHECK ("appointments"."starts_at" < "appointments"."ends_at"),
	CONSTRAINT "appointments_status" CHECK ("appointments"."status" in ('booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled')),
	CONSTRAINT "appointments_cancelled" CHECK (("appointments"."status" = 'cancelled') = ("appointments"."cancel_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "practice_hours" (
	"weekday" integer PRIMARY KEY NOT NULL,
	"opens" text NOT NULL,
	"closes" text NOT NULL,
	CONSTRAINT "practice_hours_weekday" CHECK ("practice_hours"."weekday" between 1 and 7),
	CONSTRAINT "practice_hours_times" CHECK ("practice_hours"."opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "practice_hours"."closes" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "practice_hours"."opens" < "practice_hours"."closes")
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"location" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checklist_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"procedure_id" uuid,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"owner_role" text NOT NULL,
	"due_days" integer NOT NULL,
	"is_required" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "surgeries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"procedures" jsonb NOT NULL,
	"surgeon_id" uuid,
	"assistant_ids" uuid[] DEFAULT '{}' NOT NULL,
	"anaesthesia" text NOT NULL,
	"room_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'tentative' NOT NULL,
	"cancel_reason" text,
	"implants" text,
	"price_cents" bigint,
	"notes" text,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "surgeries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "surgeries_times" CHECK ("surgeries"."starts_at" < "surgeries"."ends_at"),
	CONSTRAINT "surgeries_status" CHECK ("surgeries"."status" in ('tentative', 'confirmed', 'completed', 'postponed', 'cancelled')),
	CONSTRAINT "surgeries_anaesthesia" CHECK ("surgeries"."anaesthesia" in ('none', 'local', 'sedation', 'general')),
	CONSTRAINT "surgeries_cancelled" CHECK (("surgeries"."status" = 'cancelled') = ("surgeries"."cancel_reason" is not null)),
	CONSTRAINT "surgeries_price" CHECK ("surgeries"."price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "surgery_items" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"surgery_id" uuid NOT NULL,
	"procedure_id" uuid,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"owner_role" text NOT NULL,
	"due_days" integer NOT NULL,
	"due_on" date NOT NULL,
	"is_required" boolean NOT NULL,
	"done_on" date,
	"done_by" uuid,
	"note" text
);
--> statement-breakpoint
CREATE TABLE "time_holds" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"what" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"appointment_id" uuid,
	"surgery_id" uuid,
	CONSTRAINT "time_holds_what" CHECK ("time_holds"."what" in ('provider', 'room')),
	CONSTRAINT "time_holds_source" CHECK (num_nonnulls("time_holds"."appointment_id", "time_holds"."surgery_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_provider_id_profiles_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checklist_templates" ADD CONSTRAINT "checklist_templates_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_surgeon_id_profiles_id_fk" FOREIGN KEY ("surgeon_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_items" ADD CONSTRAINT "surgery_items_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "appointments_contact" ON "appointments" USING btree ("contact_id","starts_at");--> statement-breakpoint
CREATE INDEX "appointments_start" ON "appointments" USING btree ("starts_at");--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_name" ON "rooms" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "checklist_templates_procedure" ON "checklist_templates" USING btree ("procedure_id");--> statement-breakpoint
CREATE INDEX "surgeries_contact" ON "surgeries" USING btree ("contact_id","starts_at");--> statement-breakpoint
CREATE INDEX "surgeries_start" ON "surgeries" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "surgery_items_surgery" ON "surgery_items" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "time_holds_appointment" ON "time_holds" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "time_holds_surgery" ON "time_holds" USING btree ("surgery_id");