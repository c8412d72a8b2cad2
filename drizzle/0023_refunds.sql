ALTER TABLE "sales_receipts" ADD COLUMN "kind" text DEFAULT 'sale' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "refund_of" uuid;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "refund_reason" text;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD CONSTRAINT "sales_receipts_refund_of_sales_receipts_id_fk" FOREIGN KEY ("refund_of") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sales_receipts_refund_of" ON "sales_receipts" USING btree ("refund_of");--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD CONSTRAINT "sales_receipts_refund" CHECK (("sales_receipts"."kind" = 'refund') = ("sales_receipts"."refund_of" is not null) and ("sales_receipts"."kind" = 'refund') = ("sales_receipts"."total_cents" < 0));