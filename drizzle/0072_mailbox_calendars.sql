ALTER TABLE "subscribed_calendars" ALTER COLUMN "sealed_url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD COLUMN "mailbox_id" uuid;--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD CONSTRAINT "subscribed_calendars_mailbox_id_mailbox_connections_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailbox_connections"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "subscribed_calendars_mailbox" ON "subscribed_calendars" USING btree ("mailbox_id");--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD CONSTRAINT "subscribed_calendars_source" CHECK (num_nonnulls("subscribed_calendars"."sealed_url", "subscribed_calendars"."mailbox_id") = 1) NOT VALID;