ALTER TABLE "photos" ADD COLUMN "adjustment" jsonb;--> statement-breakpoint
ALTER TABLE "photos" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;