ALTER TABLE "quotes" DROP CONSTRAINT "quotes_total";--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "discount_percent" integer;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "discount_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "deposit_name" text;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_discount" CHECK ("quotes"."discount_cents" between 0 and "quotes"."subtotal_cents" and "quotes"."discount_percent" between 1 and 10000);--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_total" CHECK ("quotes"."total_cents" = "quotes"."subtotal_cents" - "quotes"."discount_cents" + "quotes"."tax_cents" and "quotes"."total_cents" > 0);--> statement-breakpoint
DROP TRIGGER quotes_stay ON quotes;
--> statement-breakpoint
CREATE TRIGGER quotes_stay BEFORE UPDATE ON quotes FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND (
    OLD.number, OLD.revision, OLD.surgery_id, OLD.title, OLD.note, OLD.valid_until, OLD.lines, OLD.taxes, OLD.subtotal_cents,
    OLD.discount_percent, OLD.discount_cents, OLD.tax_cents, OLD.total_cents, OLD.deposit_cents, OLD.deposit_name, OLD.instalments,
    OLD.is_before_surgery
  ) IS DISTINCT FROM (
    NEW.number, NEW.revision, NEW.surgery_id, NEW.title, NEW.note, NEW.valid_until, NEW.lines, NEW.taxes, NEW.subtotal_cents,
    NEW.discount_percent, NEW.discount_cents, NEW.tax_cents, NEW.total_cents, NEW.deposit_cents, NEW.deposit_name, NEW.instalments,
    NEW.is_before_surgery
  ))
  EXECUTE FUNCTION keep_sent_quote();
