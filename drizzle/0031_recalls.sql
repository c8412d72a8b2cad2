CREATE TABLE "recall_attempts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"recall_patient_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text NOT NULL,
	"language" text,
	"address" text,
	"note" text,
	"problem" text,
	"by" uuid,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recall_patients" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"recall_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"key" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"answer" text DEFAULT 'open' NOT NULL,
	"note" text,
	"answered_by" uuid,
	"answered_at" timestamp with time zone,
	"task_id" uuid,
	CONSTRAINT "recall_patients_key" UNIQUE("key"),
	CONSTRAINT "recall_patients_answer" CHECK (("recall_patients"."answer" = 'open') = ("recall_patients"."answered_at" is null))
);
--> statement-breakpoint
CREATE TABLE "recalls" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"title" text NOT NULL,
	"maker" text NOT NULL,
	"model" text,
	"lot_from" text,
	"lot_to" text,
	"serial_from" text,
	"serial_to" text,
	"message_en" text NOT NULL,
	"message_fr" text NOT NULL,
	"is_prepared" boolean DEFAULT false NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recall_attempts" ADD CONSTRAINT "recall_attempts_recall_patient_id_recall_patients_id_fk" FOREIGN KEY ("recall_patient_id") REFERENCES "public"."recall_patients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_attempts" ADD CONSTRAINT "recall_attempts_by_profiles_id_fk" FOREIGN KEY ("by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_patients" ADD CONSTRAINT "recall_patients_recall_id_recalls_id_fk" FOREIGN KEY ("recall_id") REFERENCES "public"."recalls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_patients" ADD CONSTRAINT "recall_patients_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_patients" ADD CONSTRAINT "recall_patients_answered_by_profiles_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recall_attempts_once" ON "recall_attempts" USING btree ("recall_patient_id","channel") WHERE "recall_attempts"."channel" in ('email', 'letter');--> statement-breakpoint
CREATE INDEX "recall_attempts_patient" ON "recall_attempts" USING btree ("recall_patient_id");--> statement-breakpoint
CREATE INDEX "recall_patients_recall" ON "recall_patients" USING btree ("recall_id");--> statement-breakpoint
CREATE INDEX "recall_patients_contact" ON "recall_patients" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "recalls_maker" ON "recalls" USING btree (lower("maker"));