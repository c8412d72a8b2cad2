CREATE TABLE "visit_fees" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"state" text NOT NULL,
	"charge_id" uuid,
	"attempt_key" uuid,
	"failure_code" text,
	"reason" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "visit_fees_appointment_id_unique" UNIQUE("appointment_id"),
	CONSTRAINT "visit_fees_kind" CHECK ("visit_fees"."kind" in ('late_cancel', 'no_show')),
	CONSTRAINT "visit_fees_state" CHECK ("visit_fees"."state" in ('charging', 'settled', 'refused', 'waived')),
	CONSTRAINT "visit_fees_charge" CHECK (("visit_fees"."state" = 'waived') = ("visit_fees"."charge_id" is null))
);
--> statement-breakpoint
CREATE TABLE "visit_terms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"contact_id" uuid NOT NULL,
	"appointment_id" uuid,
	"deposit_cents" bigint NOT NULL,
	"keeps_card" boolean NOT NULL,
	"late_fee_cents" bigint NOT NULL,
	"no_show_fee_cents" bigint NOT NULL,
	"change_hours" integer NOT NULL,
	"text" text NOT NULL,
	"language" text NOT NULL,
	"accepted_at" timestamp with time zone NOT NULL,
	"address" text,
	"device" text,
	"cancelled_late_at" timestamp with time zone,
	CONSTRAINT "visit_terms_appointment_id_unique" UNIQUE("appointment_id")
);
--> statement-breakpoint
ALTER TABLE "card_payments" DROP CONSTRAINT "card_payments_amount";--> statement-breakpoint
ALTER TABLE "card_payments" ADD COLUMN "refund_reason" text;--> statement-breakpoint
ALTER TABLE "card_payments" ADD COLUMN "refund_key" uuid;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "deposit_kind" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "deposit_cents" bigint;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "deposit_percent" integer;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "price_cents" bigint;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "is_deposit_first_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "late_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "no_show_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_fees" ADD CONSTRAINT "visit_fees_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_fees" ADD CONSTRAINT "visit_fees_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_terms" ADD CONSTRAINT "visit_terms_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visit_terms_contact" ON "visit_terms" USING btree ("contact_id");--> statement-breakpoint
ALTER TABLE "card_payments" ADD CONSTRAINT "card_payments_amount" CHECK ("card_payments"."amount_cents" between 50 and 99999999 or ("card_payments"."amount_cents" = 0 and "card_payments"."purpose" = 'deposit')) NOT VALID;--> statement-breakpoint
ALTER TABLE "visit_types" ADD CONSTRAINT "visit_types_deposit" CHECK ("visit_types"."deposit_kind" in ('none', 'amount', 'percent', 'card')) NOT VALID;