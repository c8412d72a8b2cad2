CREATE TABLE "adverse_events" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"surgery_id" uuid,
	"kind" text NOT NULL,
	"severity" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"learned_at" timestamp with time zone NOT NULL,
	"people_ids" uuid[] DEFAULT '{}' NOT NULL,
	"others" text,
	"due_on" date,
	"filed_on" date,
	"filed_by" uuid,
	"reference" text,
	"warned_at" timestamp with time zone,
	"task_ids" uuid[] DEFAULT '{}' NOT NULL,
	"note_id" uuid,
	"voided_at" timestamp with time zone,
	"voided_by" uuid,
	"void_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	CONSTRAINT "adverse_events_severity" CHECK ("adverse_events"."severity" in ('I', 'II', 'IIIa', 'IIIb', 'IVa', 'IVb', 'V')),
	CONSTRAINT "adverse_events_times" CHECK ("adverse_events"."occurred_at" <= "adverse_events"."learned_at"),
	CONSTRAINT "adverse_events_filed" CHECK (num_nulls("adverse_events"."filed_on", "adverse_events"."filed_by") in (0, 2) and ("adverse_events"."filed_on" is null or "adverse_events"."due_on" is not null)),
	CONSTRAINT "adverse_events_voided" CHECK (num_nulls("adverse_events"."voided_at", "adverse_events"."voided_by", "adverse_events"."void_reason") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "clinical_notes" DROP CONSTRAINT "clinical_notes_kind";--> statement-breakpoint
ALTER TABLE "note_templates" DROP CONSTRAINT "note_templates_kind";--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_filed_by_profiles_id_fk" FOREIGN KEY ("filed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_note_id_clinical_notes_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."clinical_notes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_voided_by_profiles_id_fk" FOREIGN KEY ("voided_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adverse_events" ADD CONSTRAINT "adverse_events_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adverse_events_contact" ON "adverse_events" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "adverse_events_surgery" ON "adverse_events" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "adverse_events_occurred" ON "adverse_events" USING btree ("occurred_at","id");--> statement-breakpoint
CREATE INDEX "adverse_events_open" ON "adverse_events" USING btree ("due_on") WHERE "adverse_events"."due_on" is not null and "adverse_events"."filed_on" is null and "adverse_events"."voided_at" is null;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_kind" CHECK (kind in ('consult', 'pre_op', 'operative', 'post_op', 'phone', 'adverse_event', 'other')) NOT VALID;--> statement-breakpoint
ALTER TABLE "note_templates" ADD CONSTRAINT "note_templates_kind" CHECK (kind in ('consult', 'pre_op', 'operative', 'post_op', 'phone', 'adverse_event', 'other')) NOT VALID;