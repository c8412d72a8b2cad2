CREATE TABLE "backup_runs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"is_ok" boolean NOT NULL,
	"details" jsonb NOT NULL,
	CONSTRAINT "backup_runs_kind" CHECK ("backup_runs"."kind" in ('backup', 'drill', 'archive'))
);
--> statement-breakpoint
CREATE INDEX "backup_runs_ended" ON "backup_runs" USING btree ("kind","ended_at");