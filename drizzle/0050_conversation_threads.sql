CREATE TABLE "quick_replies" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scheduled_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"contact_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"thread_id" uuid,
	"subject" text,
	"text" text NOT NULL,
	"template_id" uuid,
	"is_commercial" boolean DEFAULT false NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"problem" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_thread_id_conversations_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_template_id_email_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."email_templates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "quick_replies_name" ON "quick_replies" USING btree (fold(name),"language");--> statement-breakpoint
CREATE INDEX "scheduled_messages_contact" ON "scheduled_messages" USING btree ("contact_id","send_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "conversations_party" ON "conversations" USING btree (coalesce("contact_id"::text, 'from ' || "address"),"last_message_at","id");