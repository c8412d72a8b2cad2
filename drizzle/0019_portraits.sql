CREATE TABLE "portraits" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"sealed_image" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "portraits_contact_id_unique" UNIQUE("contact_id")
);
--> statement-breakpoint
ALTER TABLE "portraits" ADD CONSTRAINT "portraits_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;