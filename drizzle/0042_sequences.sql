CREATE TABLE "closed_days" (
	"day" date PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sequence_signals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sequence_signals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sequence_steps" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"state_id" uuid NOT NULL,
	"run" integer NOT NULL,
	"number" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"ref_id" uuid,
	"by" uuid
);
--> statement-breakpoint
CREATE TABLE "sequence_versions" (
	"sequence_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"published_by" uuid,
	CONSTRAINT "sequence_versions_sequence_id_number_pk" PRIMARY KEY("sequence_id","number")
);
--> statement-breakpoint
CREATE TABLE "sequences" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"draft" jsonb NOT NULL,
	"published" integer,
	"on_since" timestamp with time zone,
	"scanned_until" timestamp with time zone,
	"last_entered_at" timestamp with time zone,
	"alerted_at" timestamp with time zone,
	"turns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "sequences_on" CHECK ("sequences"."on_since" is null or ("sequences"."published" is not null and "sequences"."deleted_at" is null))
);
--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "sequence_id" uuid;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "number" integer;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "run" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "occurred_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "step" text;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "arrived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "automation_state" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sequence_steps" ADD CONSTRAINT "sequence_steps_state_id_automation_state_id_fk" FOREIGN KEY ("state_id") REFERENCES "public"."automation_state"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequence_steps" ADD CONSTRAINT "sequence_steps_by_profiles_id_fk" FOREIGN KEY ("by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequence_versions" ADD CONSTRAINT "sequence_versions_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequence_versions" ADD CONSTRAINT "sequence_versions_published_by_profiles_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sequences" ADD CONSTRAINT "sequences_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sequence_steps_once" ON "sequence_steps" USING btree ("state_id","run","step") WHERE "sequence_steps"."step" not in ('start', 'end', 'hand');--> statement-breakpoint
CREATE INDEX "sequence_steps_state" ON "sequence_steps" USING btree ("state_id","run","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sequences_name" ON "sequences" USING btree (lower("name")) WHERE "sequences"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "automation_state" ADD CONSTRAINT "automation_state_sequence_id_sequences_id_fk" FOREIGN KEY ("sequence_id") REFERENCES "public"."sequences"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "automation_state_due" ON "automation_state" USING btree ("due_at") WHERE "automation_state"."status" = 'active' and "automation_state"."due_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "automation_state_sequence" ON "automation_state" USING btree ("sequence_id","started_at" DESC NULLS LAST,"id");