DROP INDEX "lead_entries_processing";--> statement-breakpoint
CREATE INDEX "lead_entries_processing" ON "lead_entries" USING btree ("received_at","id") WHERE status = 'processing';