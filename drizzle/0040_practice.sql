CREATE TABLE "practice_settings" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text,
	"subtitle" text,
	"address" text,
	"phone" text,
	"hours" text,
	"time_zone" text,
	"brand_hue" integer,
	"company_domains" text[],
	"mail_from" text,
	"mail_reply_to" text,
	"logo" text,
	"logo_hash" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "practice_settings_one" CHECK ("practice_settings"."id")
);
--> statement-breakpoint
ALTER TABLE "funnel_stages" ADD COLUMN "is_active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "funnel_stages" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "colour" integer;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "price_cents" integer;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "minutes" integer;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "tax_code_id" text;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "is_surgical" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "is_active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "procedures" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;