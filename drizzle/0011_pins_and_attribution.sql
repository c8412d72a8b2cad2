ALTER TABLE "contacts" ADD COLUMN "first_attribution" jsonb;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "latest_attribution" jsonb;--> statement-breakpoint
ALTER TABLE "interactions" ADD COLUMN "pinned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "interactions" ADD COLUMN "pinned_by" uuid;--> statement-breakpoint
ALTER TABLE "interactions" ADD CONSTRAINT "interactions_pinned_by_profiles_id_fk" FOREIGN KEY ("pinned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "interactions_pinned" ON "interactions" USING btree ("contact_id") WHERE "interactions"."pinned_at" is not null;