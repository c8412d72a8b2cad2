CREATE TABLE "email_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"category" text DEFAULT 'general' NOT NULL,
	"variables" jsonb DEFAULT '{"html_content":null}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE TABLE "conversation_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"conversation_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid,
	"subject" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"thread_id" text NOT NULL,
	"address" text NOT NULL,
	"name" text,
	"subject_key" text NOT NULL,
	"assigned_to" uuid,
	"last_message_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "conversations_thread_id_unique" UNIQUE("thread_id")
);
--> statement-breakpoint
CREATE TABLE "message_attachments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"message_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"content_id" text,
	"document_id" uuid,
	"storage_key" text,
	"sha256" text,
	"refusal" text,
	CONSTRAINT "message_attachments_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"conversation_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"message_id" text,
	"from_email" text NOT NULL,
	"from_name" text,
	"to_email" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"html_body" text,
	"remote_images" integer DEFAULT 0 NOT NULL,
	"metadata" jsonb,
	"status" text NOT NULL,
	"problem" text,
	"idempotency_key" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"read_by" uuid,
	CONSTRAINT "messages_idempotency_key_unique" UNIQUE("idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "suppressed_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"detail" text,
	"is_commercial_only" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_updated_by_profiles_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attachments" ADD CONSTRAINT "message_attachments_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attachments" ADD CONSTRAINT "message_attachments_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_read_by_profiles_id_fk" FOREIGN KEY ("read_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_templates_name" ON "email_templates" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "email_templates_category" ON "email_templates" USING btree ("category");--> statement-breakpoint
CREATE INDEX "conversation_notes_conversation" ON "conversation_notes" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id","last_message_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_last" ON "conversations" USING btree ("status","last_message_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "conversations_address" ON "conversations" USING btree ("address","subject_key");--> statement-breakpoint
CREATE INDEX "conversations_assigned" ON "conversations" USING btree ("assigned_to","last_message_at" DESC NULLS LAST) WHERE "conversations"."assigned_to" is not null;--> statement-breakpoint
CREATE INDEX "message_attachments_message" ON "message_attachments" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "message_attachments_document" ON "message_attachments" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "messages_conversation" ON "messages" USING btree ("conversation_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_unread" ON "messages" USING btree ("conversation_id","created_at" DESC NULLS LAST) WHERE "messages"."direction" = 'inbound' and "messages"."read_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider" ON "messages" USING btree ("direction","message_id");--> statement-breakpoint
insert into email_templates (name, subject, body, category, variables) values
  ('welcome_email', 'Thank you for contacting {{company_name}}', 'Hello {{first_name}},

Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.

If you have questions before then, just answer this e-mail.

Kind regards,
{{company_name}}', 'lead', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>Thank you for your interest in {{company_name}}. We have received your inquiry, and one of our patient coordinators will contact you soon.</p>
<p>If you have questions before then, just answer this e-mail.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('consult_reminder', 'Your upcoming consultation at {{company_name}}', 'Hello {{first_name}},

We look forward to seeing you for your consultation about {{procedure}}.

Please bring a list of your medications and allergies. If you need another time, answer this e-mail and we will find one.

Kind regards,
{{company_name}}', 'appointment', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>We look forward to seeing you for your consultation about {{procedure}}.</p>
<p>Please bring a list of your medications and allergies. If you need another time, answer this e-mail and we will find one.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('follow_up', 'Do you have questions about {{procedure}}?', 'Hello {{first_name}},

It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?

Answer this e-mail whenever it suits you.

Kind regards,
{{company_name}}', 'follow_up', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>It was a pleasure to speak with you about {{procedure}}. Is there anything we can explain or help you with?</p>
<p>Answer this e-mail whenever it suits you.</p>
<p>Kind regards,<br>{{company_name}}</p>')),
  ('post_op_check', 'How are you feeling, {{first_name}}?', 'Hello {{first_name}},

We hope that you are recovering well. Please answer this e-mail and tell us how you are feeling, and whether anything worries you.

If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.

Kind regards,
{{company_name}}', 'post_op', jsonb_build_object('html_content', '<p>Hello {{first_name}},</p>
<p>We hope that you are recovering well. Please answer this e-mail and tell us how you are feeling, and whether anything worries you.</p>
<p>If you have severe pain, heavy bleeding, fever or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.</p>
<p>Kind regards,<br>{{company_name}}</p>'))
on conflict do nothing;
