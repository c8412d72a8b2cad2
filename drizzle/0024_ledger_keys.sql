ALTER TABLE "collection_notes" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "collection_notes" ADD COLUMN "payload_hash" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "payload_hash" text;--> statement-breakpoint
ALTER TABLE "collection_notes" ADD CONSTRAINT "collection_notes_idempotency_key_unique" UNIQUE("idempotency_key");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_idempotency_key_unique" UNIQUE("idempotency_key");