CREATE TABLE "contact_customers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"customer_id" text NOT NULL,
	"linked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contact_customers_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "sales_receipts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"payload_hash" text NOT NULL,
	"request_id" text NOT NULL,
	"realm_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"customer_name" text NOT NULL,
	"lines" jsonb NOT NULL,
	"taxes" jsonb NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"discount_percent" integer NOT NULL,
	"discount_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"deposit_account_id" text NOT NULL,
	"deposit_account_name" text NOT NULL,
	"class_id" text,
	"class_name" text,
	"payment_method" text,
	"memo" text,
	"qb_id" text,
	"doc_number" text,
	"qb_total_cents" bigint,
	"is_uncertain" boolean NOT NULL,
	"settling_until" timestamp with time zone,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"logged_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "sales_receipts_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "sales_receipts_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "sales_receipts_adds_up" CHECK ("sales_receipts"."total_cents" = "sales_receipts"."subtotal_cents" - "sales_receipts"."discount_cents" + "sales_receipts"."tax_cents")
);
--> statement-breakpoint
CREATE TABLE "quickbooks_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quickbooks_connection" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"realm_id" text NOT NULL,
	"company_name" text NOT NULL,
	"state" text NOT NULL,
	"access_token" text NOT NULL,
	"access_expires_at" timestamp with time zone NOT NULL,
	"refresh_token" text NOT NULL,
	"refresh_expires_at" timestamp with time zone NOT NULL,
	"connected_by" uuid,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quickbooks_connection_only" CHECK ("quickbooks_connection"."is_only")
);
--> statement-breakpoint
CREATE TABLE "quickbooks_lists" (
	"kind" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quickbooks_objects" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"is_active" boolean NOT NULL,
	"facts" jsonb NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"search" text GENERATED ALWAYS AS (fold(name || ' ' || coalesce(email, '') || ' ' || coalesce(facts->>'description', ''))) STORED,
	CONSTRAINT "quickbooks_objects_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
ALTER TABLE "contact_customers" ADD CONSTRAINT "contact_customers_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD CONSTRAINT "sales_receipts_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quickbooks_attempts" ADD CONSTRAINT "quickbooks_attempts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quickbooks_connection" ADD CONSTRAINT "quickbooks_connection_connected_by_profiles_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_customers_contact" ON "contact_customers" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sales_receipts_qb" ON "sales_receipts" USING btree ("realm_id","qb_id");--> statement-breakpoint
CREATE INDEX "sales_receipts_open" ON "sales_receipts" USING btree ("created_at") WHERE "sales_receipts"."state" in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "sales_receipts_created" ON "sales_receipts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "sales_receipts_customer" ON "sales_receipts" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "quickbooks_objects_search" ON "quickbooks_objects" USING gin (kind,search gin_trgm_ops);