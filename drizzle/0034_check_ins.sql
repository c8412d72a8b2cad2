CREATE TABLE "check_in_schedules" (
	"procedure_id" uuid PRIMARY KEY NOT NULL,
	"template_id" uuid NOT NULL,
	"days" integer[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "check_in_schedules_days" CHECK (cardinality("check_in_schedules"."days") between 1 and 10 and 1 <= all("check_in_schedules"."days") and 365 >= all("check_in_schedules"."days"))
);
--> statement-breakpoint
CREATE TABLE "check_ins" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"surgery_id" uuid NOT NULL,
	"day" integer NOT NULL,
	"due_on" date NOT NULL,
	"form_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"reminded_at" timestamp with time zone,
	"escalated_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	CONSTRAINT "check_ins_form_id_unique" UNIQUE("form_id"),
	CONSTRAINT "check_ins_once" UNIQUE("surgery_id","due_on")
);
--> statement-breakpoint
ALTER TABLE "forms" ADD COLUMN "purpose" text DEFAULT 'form' NOT NULL;--> statement-breakpoint
ALTER TABLE "check_in_schedules" ADD CONSTRAINT "check_in_schedules_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_in_schedules" ADD CONSTRAINT "check_in_schedules_template_id_form_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."form_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "check_ins" ADD CONSTRAINT "check_ins_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_purpose" CHECK ("forms"."purpose" in ('form', 'check_in')) NOT VALID;