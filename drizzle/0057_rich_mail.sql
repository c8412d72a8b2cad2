CREATE TABLE "pending_pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"storage_key" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pending_pictures_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "signatures" (
	"user_id" uuid NOT NULL,
	"language" text NOT NULL,
	"html" text NOT NULL,
	CONSTRAINT "signatures_user_id_language_pk" PRIMARY KEY("user_id","language")
);
--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD COLUMN "html" text;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD COLUMN "with_signature" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mailbox_drafts" ADD COLUMN "html" text;--> statement-breakpoint
ALTER TABLE "mailbox_drafts" ADD COLUMN "with_signature" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_pictures" ADD CONSTRAINT "pending_pictures_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_pictures_created" ON "pending_pictures" USING btree ("created_at");