CREATE TABLE "source_spend" (
	"source_id" uuid NOT NULL,
	"month" date NOT NULL,
	"cents" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "source_spend_source_id_month_pk" PRIMARY KEY("source_id","month"),
	CONSTRAINT "source_spend_month" CHECK (extract(day from "source_spend"."month") = 1),
	CONSTRAINT "source_spend_cents" CHECK ("source_spend"."cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "source_spend" ADD CONSTRAINT "source_spend_source_id_lead_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."lead_sources"("id") ON DELETE no action ON UPDATE no action;