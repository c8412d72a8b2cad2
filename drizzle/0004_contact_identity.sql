DROP INDEX "contacts_filter";--> statement-breakpoint
DROP INDEX "contacts_board";--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "date_of_birth" date;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "pronouns" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "preferred_language" text;--> statement-breakpoint
CREATE INDEX "contacts_filter" ON "contacts" USING btree ("seq" DESC NULLS FIRST,"id","funnel_stage","created_at","preferred_language","procedure_of_interest","procedure_text","assigned_provider_id","assigned_sales_rep_id","lead_source","lead_source_text","next_follow_up_date","last_contact_date","consent_to_communicate","surgical_date");--> statement-breakpoint
CREATE INDEX "contacts_board" ON "contacts" USING btree ("funnel_stage","stage_entered_at","seq","id","created_at","preferred_language","procedure_of_interest","procedure_text","assigned_provider_id","assigned_sales_rep_id","lead_source","lead_source_text","next_follow_up_date","last_contact_date","consent_to_communicate","surgical_date");