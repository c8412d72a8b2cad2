CREATE TABLE "deleted_contact_rows" (
	"deletion_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"place" text NOT NULL,
	"row" jsonb NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "changed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "unchanged" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "undone" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "kept" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "deleted_contact_rows_deletion" ON "deleted_contact_rows" USING btree ("deletion_id","contact_id");--> statement-breakpoint
CREATE INDEX "deleted_contact_rows_deleted_at" ON "deleted_contact_rows" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "bulk_changes_created_by" ON "bulk_changes" USING btree ("created_by","created_at" DESC NULLS LAST);
--> statement-breakpoint
UPDATE bulk_changes SET changed = sums.changed, unchanged = sums.unchanged, undone = sums.undone, kept = sums.kept
FROM (
  SELECT bulk_change_id,
    count(*) FILTER (WHERE state IN ('changed', 'undone', 'kept')) AS changed, count(*) FILTER (WHERE state = 'unchanged') AS unchanged,
    count(*) FILTER (WHERE state = 'undone') AS undone, count(*) FILTER (WHERE state = 'kept') AS kept
  FROM bulk_change_items GROUP BY bulk_change_id
) AS sums WHERE bulk_changes.id = sums.bulk_change_id;
