CREATE TABLE "procedure_prices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"procedure_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"description" text NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"unit_price_cents" integer NOT NULL,
	"tax_code_id" text,
	"item_id" text,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "procedure_prices_amounts" CHECK ("procedure_prices"."quantity" > 0 and "procedure_prices"."unit_price_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "procedure_prices" ADD CONSTRAINT "procedure_prices_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "procedure_prices_procedure" ON "procedure_prices" USING btree ("procedure_id","position");