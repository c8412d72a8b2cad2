DROP INDEX "contacts_procedure";--> statement-breakpoint
DROP INDEX "contacts_sales_rep";--> statement-breakpoint
DROP INDEX "contacts_provider";--> statement-breakpoint
CREATE INDEX "contacts_surgery" ON "contacts" USING btree ("surgical_date","seq");--> statement-breakpoint
CREATE INDEX "contacts_added" ON "contacts" USING btree ("created_at","seq");--> statement-breakpoint
CREATE INDEX "contacts_filter" ON "contacts" USING btree ("seq" DESC NULLS FIRST,"id","funnel_stage","lead_source","lead_source_text","procedure_of_interest","procedure_text","assigned_sales_rep_id","assigned_provider_id","created_at","last_contact_date","next_follow_up_date","surgical_date","consent_to_communicate");--> statement-breakpoint
CREATE INDEX "contacts_procedure" ON "contacts" USING btree ("procedure_of_interest","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_sales_rep" ON "contacts" USING btree ("assigned_sales_rep_id","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_provider" ON "contacts" USING btree ("assigned_provider_id","seq" DESC NULLS FIRST);