ALTER TABLE "practice_settings" ADD COLUMN "text_quiet_from" text;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "text_quiet_to" text;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "texts_per_patient" integer;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "texts_per_day" integer;--> statement-breakpoint
ALTER TABLE "practice_settings" ADD COLUMN "text_segment_price" integer;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "messages_from_template" ON "messages" USING btree ("created_at") WHERE "messages"."metadata" @> '{"isFromTemplate": true}';