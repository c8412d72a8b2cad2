CREATE TABLE "card_customers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "card_customers_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "card_disputes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"stripe_dispute_id" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"due_by" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "card_disputes_stripe_dispute_id_unique" UNIQUE("stripe_dispute_id")
);
--> statement-breakpoint
CREATE TABLE "card_payments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"reference_id" uuid NOT NULL,
	"charge_id" uuid,
	"description" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text DEFAULT 'cad' NOT NULL,
	"status" text DEFAULT 'started' NOT NULL,
	"stripe_payment_id" text,
	"stripe_charge_id" text,
	"failure_code" text,
	"card_brand" text,
	"card_last4" text,
	"consent_text" text,
	"consent_language" text,
	"sale" jsonb,
	"reader_id" text,
	"address" text,
	"device" text,
	"receipt_id" uuid,
	"booked_at" timestamp with time zone,
	"booking_problem" text,
	"idempotency_key" uuid NOT NULL,
	"payload_hash" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "card_payments_stripe_payment_id_unique" UNIQUE("stripe_payment_id"),
	CONSTRAINT "card_payments_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "card_payments_amount" CHECK ("card_payments"."amount_cents" between 50 and 99999999),
	CONSTRAINT "card_payments_status" CHECK ("card_payments"."status" in ('started', 'open', 'processing', 'paid', 'cancelled')),
	CONSTRAINT "card_payments_paid" CHECK (("card_payments"."status" = 'paid') = ("card_payments"."paid_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "card_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text DEFAULT 'started' NOT NULL,
	"stripe_refund_id" text,
	"problem" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "card_refunds_stripe_refund_id_unique" UNIQUE("stripe_refund_id"),
	CONSTRAINT "card_refunds_amount" CHECK ("card_refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "saved_cards" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"method_id" text NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"expiry_month" integer NOT NULL,
	"expiry_year" integer NOT NULL,
	"consent_text" text NOT NULL,
	"consent_language" text NOT NULL,
	"consented_at" timestamp with time zone NOT NULL,
	"consent_address" text,
	"warned_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "saved_cards_method_id_unique" UNIQUE("method_id")
);
--> statement-breakpoint
CREATE TABLE "stripe_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "card_customers" ADD CONSTRAINT "card_customers_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_payment_id_card_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."card_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_payments" ADD CONSTRAINT "card_payments_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_payments" ADD CONSTRAINT "card_payments_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_payments" ADD CONSTRAINT "card_payments_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_refunds" ADD CONSTRAINT "card_refunds_id_sales_receipts_id_fk" FOREIGN KEY ("id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_refunds" ADD CONSTRAINT "card_refunds_payment_id_card_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."card_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_cards" ADD CONSTRAINT "saved_cards_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_customers_contact" ON "card_customers" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "card_disputes_payment" ON "card_disputes" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "card_payments_unsettled" ON "card_payments" USING btree ("purpose","reference_id") WHERE "card_payments"."status" in ('started', 'open', 'processing');--> statement-breakpoint
CREATE INDEX "card_payments_contact" ON "card_payments" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "card_payments_unbooked" ON "card_payments" USING btree ("updated_at") WHERE "card_payments"."booked_at" is null and "card_payments"."status" <> 'cancelled';--> statement-breakpoint
CREATE INDEX "card_payments_receipt" ON "card_payments" USING btree ("receipt_id");--> statement-breakpoint
CREATE INDEX "card_refunds_payment" ON "card_refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "card_refunds_started" ON "card_refunds" USING btree ("updated_at") WHERE "card_refunds"."status" = 'started';--> statement-breakpoint
CREATE INDEX "saved_cards_contact" ON "saved_cards" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "saved_cards_expiry" ON "saved_cards" USING btree ("expiry_year","expiry_month") WHERE "saved_cards"."removed_at" is null and "saved_cards"."warned_at" is null;--> statement-breakpoint
CREATE INDEX "stripe_events_received" ON "stripe_events" USING btree ("received_at");