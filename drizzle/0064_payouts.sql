CREATE TABLE "payout_deposits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"request_id" text NOT NULL,
	"realm_id" text NOT NULL,
	"body" jsonb NOT NULL,
	"total_cents" bigint NOT NULL,
	"qb_id" text,
	"qb_total_cents" bigint,
	"is_uncertain" boolean DEFAULT false NOT NULL,
	"settling_until" timestamp with time zone,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "payout_deposits_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "payout_deposits_state" CHECK ("payout_deposits"."state" in ('pending', 'complete', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"payout_id" uuid NOT NULL,
	"category" text NOT NULL,
	"source_id" text,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"net_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"stripe_payout_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"is_automatic" boolean NOT NULL,
	"arrives_on" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"read_up_to" text,
	"is_read" boolean DEFAULT false NOT NULL,
	"reconciled_at" timestamp with time zone,
	"gross_cents" bigint DEFAULT 0 NOT NULL,
	"refund_cents" bigint DEFAULT 0 NOT NULL,
	"dispute_cents" bigint DEFAULT 0 NOT NULL,
	"other_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"differences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"accepted_reason" text,
	"accepted_by" uuid,
	"accepted_at" timestamp with time zone,
	"posting_problem" text,
	CONSTRAINT "payouts_stripe_payout_id_unique" UNIQUE("stripe_payout_id"),
	CONSTRAINT "payouts_accepted" CHECK (("payouts"."accepted_at" is null) = ("payouts"."accepted_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence_text" text;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence" jsonb;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence_key" uuid;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence_by" uuid;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "evidence_problem" text;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD COLUMN "submitted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payout_deposits" ADD CONSTRAINT "payout_deposits_id_payouts_id_fk" FOREIGN KEY ("id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_deposits" ADD CONSTRAINT "payout_deposits_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_accepted_by_profiles_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payout_deposits_qb" ON "payout_deposits" USING btree ("realm_id","qb_id");--> statement-breakpoint
CREATE INDEX "payout_lines_payout" ON "payout_lines" USING btree ("payout_id","created_at");--> statement-breakpoint
CREATE INDEX "payout_lines_source" ON "payout_lines" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "payouts_created" ON "payouts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "payouts_unreconciled" ON "payouts" USING btree ("created_at") WHERE "payouts"."reconciled_at" is null;--> statement-breakpoint
ALTER TABLE "card_disputes" ADD CONSTRAINT "card_disputes_evidence_by_profiles_id_fk" FOREIGN KEY ("evidence_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "card_disputes_created" ON "card_disputes" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "card_payments_charge" ON "card_payments" USING btree ("stripe_charge_id");