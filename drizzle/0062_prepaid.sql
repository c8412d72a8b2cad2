CREATE TABLE "automatic_payments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"consent_text" text NOT NULL,
	"consent_language" text NOT NULL,
	"consented_at" timestamp with time zone NOT NULL,
	"consent_address" text,
	"ended_at" timestamp with time zone,
	"ended_by" uuid
);
--> statement-breakpoint
CREATE TABLE "instalment_charges" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"due_on" date NOT NULL,
	"attempt" integer NOT NULL,
	"amount_cents" bigint NOT NULL,
	"charged_cents" bigint,
	"status" text NOT NULL,
	"charge_on" date NOT NULL,
	"failure_code" text,
	"payment_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "instalment_charges_status" CHECK ("instalment_charges"."status" in ('announced', 'charging', 'processing', 'paid', 'declined', 'skipped')),
	CONSTRAINT "instalment_charges_amount" CHECK ("instalment_charges"."amount_cents" >= 50 and "instalment_charges"."attempt" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "prepaid_accounts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"customer_id" text NOT NULL,
	"receipt_id" uuid,
	"line" integer,
	"code_hash" text,
	"sealed_code" text,
	"last4" text,
	"item_id" text,
	"item_name" text,
	"sessions" integer,
	"expires_on" date,
	"balance_cents" bigint DEFAULT 0 NOT NULL,
	"sessions_left" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "prepaid_accounts_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "prepaid_accounts_balance" CHECK ("prepaid_accounts"."balance_cents" >= 0 and "prepaid_accounts"."sessions_left" >= 0),
	CONSTRAINT "prepaid_accounts_kind" CHECK ("prepaid_accounts"."kind" in ('gift-card', 'package', 'credit')),
	CONSTRAINT "prepaid_accounts_code" CHECK (("prepaid_accounts"."kind" = 'gift-card') = ("prepaid_accounts"."code_hash" is not null)),
	CONSTRAINT "prepaid_accounts_package" CHECK (("prepaid_accounts"."kind" = 'package') = ("prepaid_accounts"."sessions" is not null)),
	CONSTRAINT "prepaid_accounts_expiry" CHECK ("prepaid_accounts"."kind" = 'package' or "prepaid_accounts"."expires_on" is null)
);
--> statement-breakpoint
CREATE TABLE "prepaid_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"sessions" integer DEFAULT 0 NOT NULL,
	"receipt_id" uuid NOT NULL,
	"reason" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "prepaid_entries_amount" CHECK ("prepaid_entries"."amount_cents" <> 0 or "prepaid_entries"."sessions" <> 0)
);
--> statement-breakpoint
CREATE TABLE "quote_financings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"quote_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"status" text DEFAULT 'applied' NOT NULL,
	"applied_on" date NOT NULL,
	"decided_on" date,
	"approved_cents" bigint,
	"fee_percent" integer,
	"receipt_id" uuid,
	"paid_on" date,
	"paid_cents" bigint,
	"fee_cents" bigint,
	"reminded_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quote_financings_status" CHECK ("quote_financings"."status" in ('applied', 'approved', 'declined', 'paid')),
	CONSTRAINT "quote_financings_approved" CHECK ("quote_financings"."status" <> 'approved' or ("quote_financings"."approved_cents" > 0 and "quote_financings"."decided_on" is not null)),
	CONSTRAINT "quote_financings_paid" CHECK (("quote_financings"."status" = 'paid') = ("quote_financings"."paid_on" is not null and "quote_financings"."paid_cents" is not null and "quote_financings"."fee_cents" is not null))
);
--> statement-breakpoint
ALTER TABLE "card_payments" ADD COLUMN "automatic_text" text;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "prepaid_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "prepaid" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "issued_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "automatic_payments" ADD CONSTRAINT "automatic_payments_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automatic_payments" ADD CONSTRAINT "automatic_payments_ended_by_profiles_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instalment_charges" ADD CONSTRAINT "instalment_charges_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instalment_charges" ADD CONSTRAINT "instalment_charges_payment_id_card_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."card_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prepaid_accounts" ADD CONSTRAINT "prepaid_accounts_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prepaid_entries" ADD CONSTRAINT "prepaid_entries_account_id_prepaid_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."prepaid_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prepaid_entries" ADD CONSTRAINT "prepaid_entries_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prepaid_entries" ADD CONSTRAINT "prepaid_entries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_financings" ADD CONSTRAINT "quote_financings_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_financings" ADD CONSTRAINT "quote_financings_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_financings" ADD CONSTRAINT "quote_financings_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "automatic_payments_contact" ON "automatic_payments" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "automatic_payments_open" ON "automatic_payments" USING btree ("contact_id") WHERE "automatic_payments"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "instalment_charges_attempt" ON "instalment_charges" USING btree ("charge_id","due_on","attempt");--> statement-breakpoint
CREATE INDEX "instalment_charges_contact" ON "instalment_charges" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "instalment_charges_open" ON "instalment_charges" USING btree ("charge_on") WHERE "instalment_charges"."status" in ('announced', 'charging', 'processing');--> statement-breakpoint
CREATE INDEX "prepaid_accounts_customer" ON "prepaid_accounts" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "prepaid_accounts_receipt" ON "prepaid_accounts" USING btree ("receipt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prepaid_accounts_credit" ON "prepaid_accounts" USING btree ("customer_id") WHERE "prepaid_accounts"."kind" = 'credit';--> statement-breakpoint
CREATE UNIQUE INDEX "prepaid_entries_receipt" ON "prepaid_entries" USING btree ("receipt_id","account_id","kind");--> statement-breakpoint
CREATE INDEX "prepaid_entries_account" ON "prepaid_entries" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "quote_financings_open" ON "quote_financings" USING btree ("quote_id") WHERE "quote_financings"."status" <> 'declined';--> statement-breakpoint
CREATE INDEX "quote_financings_quote" ON "quote_financings" USING btree ("quote_id");--> statement-breakpoint
CREATE INDEX "quote_financings_status" ON "quote_financings" USING btree ("status","decided_on");--> statement-breakpoint
-- The balance is the sum of the entries; the constraint prepaid_accounts_balance refuses an entry that takes more than there is.
CREATE FUNCTION apply_prepaid_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$ BEGIN
  UPDATE prepaid_accounts SET balance_cents = balance_cents + NEW.amount_cents, sessions_left = sessions_left + NEW.sessions
  WHERE id = NEW.account_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER apply AFTER INSERT ON prepaid_entries FOR EACH ROW EXECUTE FUNCTION apply_prepaid_entry();
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON prepaid_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
