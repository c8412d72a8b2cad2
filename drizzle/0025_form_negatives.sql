ALTER TABLE "health_reviews" ADD COLUMN "topic" text;--> statement-breakpoint
ALTER TABLE "health_reviews" ADD COLUMN "statement" text;--> statement-breakpoint
ALTER TABLE "health_reviews" ADD COLUMN "source" text DEFAULT 'staff' NOT NULL;--> statement-breakpoint
ALTER TABLE "health_reviews" ADD COLUMN "source_id" uuid;--> statement-breakpoint
ALTER TABLE "measurements" ADD COLUMN "source" text DEFAULT 'staff' NOT NULL;--> statement-breakpoint
ALTER TABLE "measurements" ADD COLUMN "source_id" uuid;