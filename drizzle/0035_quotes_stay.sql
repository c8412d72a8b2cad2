-- What was sent to a patient stays as it was sent, whatever the application does: a change is a new version.
CREATE FUNCTION keep_sent_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A quote that was sent stays as it was sent';
END $$;
--> statement-breakpoint
CREATE TRIGGER quotes_stay BEFORE UPDATE ON quotes FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND (
    OLD.number, OLD.revision, OLD.surgery_id, OLD.title, OLD.note, OLD.valid_until, OLD.lines, OLD.taxes,
    OLD.subtotal_cents, OLD.tax_cents, OLD.total_cents, OLD.deposit_cents, OLD.instalments, OLD.is_before_surgery
  ) IS DISTINCT FROM (
    NEW.number, NEW.revision, NEW.surgery_id, NEW.title, NEW.note, NEW.valid_until, NEW.lines, NEW.taxes,
    NEW.subtotal_cents, NEW.tax_cents, NEW.total_cents, NEW.deposit_cents, NEW.instalments, NEW.is_before_surgery
  ))
  EXECUTE FUNCTION keep_sent_quote();
