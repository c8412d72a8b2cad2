DROP INDEX "contacts_name";--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "sort_name" text GENERATED ALWAYS AS (contact_sort_name(first_name, last_name)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "contacts_name" ON "contacts" USING btree ("sort_name","seq");