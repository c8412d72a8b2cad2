CREATE TABLE "text_links" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"message_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"shown_path" text NOT NULL,
	"sealed_path" text NOT NULL,
	"until" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "text_links_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "text_links" ADD CONSTRAINT "text_links_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "text_links_message" ON "text_links" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "text_links_expires" ON "text_links" USING btree ("expires_at");