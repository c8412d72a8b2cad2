ALTER TABLE "sales_receipts" ADD COLUMN "is_deposit" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What was sold under the name of a deposit was taken as one.
UPDATE "sales_receipts" SET "is_deposit" = true WHERE kind = 'sale' AND "lines" @? '$[*] ? (@.name like_regex "deposit" flag "i")';
