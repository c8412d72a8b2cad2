ALTER TABLE "campaign_recipients" ADD COLUMN "not_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "channel" text DEFAULT 'email' NOT NULL;