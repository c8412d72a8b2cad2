CREATE SEQUENCE "public"."quote_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"number" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"surgery_id" uuid,
	"title" text NOT NULL,
	"note" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"valid_until" date NOT NULL,
	"lines" jsonb NOT NULL,
	"taxes" jsonb NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"deposit_cents" bigint NOT NULL,
	"instalments" jsonb NOT NULL,
	"is_before_surgery" boolean NOT NULL,
	"sent_at" timestamp with time zone,
	"sent_by" uuid,
	"sent_to" text,
	"accepted_at" timestamp with time zone,
	"accepted_by" uuid,
	"accepted_name" text,
	"accepted_address" text,
	"charge_id" uuid,
	"price_before_cents" bigint,
	"ended_at" timestamp with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quotes_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "quotes_revision" UNIQUE("number","revision"),
	CONSTRAINT "quotes_status" CHECK ("quotes"."status" in ('draft', 'sent', 'accepted', 'declined', 'superseded', 'withdrawn')),
	CONSTRAINT "quotes_total" CHECK ("quotes"."total_cents" = "quotes"."subtotal_cents" + "quotes"."tax_cents" and "quotes"."total_cents" > 0),
	CONSTRAINT "quotes_deposit" CHECK ("quotes"."deposit_cents" between 0 and "quotes"."total_cents"),
	CONSTRAINT "quotes_accepted" CHECK ("quotes"."status" <> 'accepted' or ("quotes"."accepted_at" is not null and "quotes"."charge_id" is not null)),
	CONSTRAINT "quotes_ended" CHECK (("quotes"."status" in ('declined', 'withdrawn')) = ("quotes"."ended_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_sent_by_profiles_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_accepted_by_profiles_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_ended_by_profiles_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quotes_contact" ON "quotes" USING btree ("contact_id","number");--> statement-breakpoint
CREATE INDEX "quotes_surgery" ON "quotes" USING btree ("surgery_id");