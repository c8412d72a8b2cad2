-- The snapshots so far do not hold what an undo needs; the audit log keeps what they were about.
DELETE FROM "contact_merges";
--> statement-breakpoint
CREATE TABLE "contact_merge_rows" (
	"merge_id" uuid NOT NULL,
	"place" text NOT NULL,
	"kind" text NOT NULL,
	"row" jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "contact_merges_target";--> statement-breakpoint
ALTER TABLE "contact_merges" ALTER COLUMN "snapshot" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD COLUMN "undone_by" uuid;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD COLUMN "undone_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contact_merge_rows" ADD CONSTRAINT "contact_merge_rows_merge_id_contact_merges_id_fk" FOREIGN KEY ("merge_id") REFERENCES "public"."contact_merges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_merge_rows_merge" ON "contact_merge_rows" USING btree ("merge_id","place");--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_undone_by_profiles_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_merges_source" ON "contact_merges" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "contact_merges_merged_at" ON "contact_merges" USING btree ("merged_at");--> statement-breakpoint
CREATE INDEX "contact_merges_target" ON "contact_merges" USING btree ("target_id","merged_at");