CREATE TABLE "collection_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint,
	"due_on" date,
	"note" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"charge_id" uuid,
	"receipt_id" uuid,
	"description" text NOT NULL,
	"due_on" date,
	"is_before_surgery" boolean DEFAULT false NOT NULL,
	"plan" jsonb,
	"source" text DEFAULT 'staff' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_entries_sign" CHECK (("ledger_entries"."amount_cents" > 0) = ("ledger_entries"."kind" in ('charge', 'release')) and "ledger_entries"."amount_cents" <> 0),
	CONSTRAINT "ledger_entries_charge_named" CHECK (("ledger_entries"."kind" = 'charge') = ("ledger_entries"."charge_id" is null))
);
--> statement-breakpoint
ALTER TABLE "collection_notes" ADD CONSTRAINT "collection_notes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_notes" ADD CONSTRAINT "collection_notes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collection_notes_contact" ON "collection_notes" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_contact" ON "ledger_entries" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_charge" ON "ledger_entries" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_receipt" ON "ledger_entries" USING btree ("receipt_id");