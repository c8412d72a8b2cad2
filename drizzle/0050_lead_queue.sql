ALTER TABLE "lead_sources" ALTER COLUMN "sends_welcome" SET DEFAULT true;--> statement-breakpoint
ALTER TABLE "lead_sources" ADD COLUMN "field_map" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_entries" ADD COLUMN "dismissed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "lead_entries_waiting" ON "lead_entries" USING btree ("received_at") WHERE status = 'error' and dismissed_at is null;--> statement-breakpoint
-- Spec 9 welcomes new leads. A source that somebody has switched off stays off.
UPDATE "lead_sources" SET "sends_welcome" = true WHERE NOT EXISTS (
  SELECT 1 FROM "audit_log" WHERE kind = 'lead-source' AND action = 'changed' AND before->>'id' = "lead_sources"."id"::text AND before->>'sendsWelcome' = 'true'
);
