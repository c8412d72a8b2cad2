CREATE TABLE "contact_day_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_day_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"since" timestamp with time zone NOT NULL,
	"funnel_stage" uuid NOT NULL,
	"procedure_of_interest" uuid,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_source_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_source_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_source" uuid,
	"lead_source_text" text,
	"change" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_stage_history" ADD COLUMN "from_entered_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "contacts_arrived" ON "contacts" USING btree (get_byte(uuid_send("id"), 15),"created_at","id") WHERE import_source is null or import_source not like 'Import: %';--> statement-breakpoint
CREATE INDEX "contact_stage_history_moves" ON "contact_stage_history" USING btree (get_byte(uuid_send("id"), 15),"changed_at","from_stage","to_stage","from_entered_at","contact_id") WHERE from_entered_at is not null;--> statement-breakpoint
CREATE INDEX "interactions_answers" ON "interactions" USING btree ("contact_id","date") WHERE created_by is not null and type in ('call', 'email', 'meeting', 'stage_change', 'stage_changed', 'consult_booked', 'surgery_booked');