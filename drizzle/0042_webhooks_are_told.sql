-- What happens is told to other systems, whatever made it happen: in the transaction of the change, so that nothing is told that was not, and
-- nothing is left out. Nothing is done while no webhook is on.
CREATE FUNCTION tell_webhooks(told text, subjects uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject_id)
  SELECT webhooks.id, told, subject FROM webhooks, unnest(subjects) AS subject
  WHERE told = ANY (webhooks.events) AND webhooks.disabled_at IS NULL
  ORDER BY webhooks.id, subject
  ON CONFLICT DO NOTHING;
  -- Without a key: jobs that share one would make changes that have nothing to do with each other wait for one another.
  IF FOUND THEN PERFORM graphile_worker.add_job('webhooks.deliver', '{}'::json, max_attempts => 8); END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_of_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_webhooks('contact.created', ARRAY(SELECT id FROM made));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM tell_webhooks('contact.deleted', ARRAY(SELECT id FROM gone));
  ELSE
    PERFORM tell_webhooks('contact.changed', ARRAY(SELECT made.id FROM made JOIN gone USING (id) WHERE made.version <> gone.version));
    PERFORM tell_webhooks('contact.stage_changed', ARRAY(SELECT made.id FROM made JOIN gone USING (id) WHERE made.funnel_stage <> gone.funnel_stage));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER contacts_told_new AFTER INSERT ON contacts REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_told_changed AFTER UPDATE ON contacts REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_told_gone AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
--> statement-breakpoint
CREATE FUNCTION tell_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_webhooks(TG_ARGV[0], ARRAY[NEW.id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER appointments_told_booked AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION tell_of_row('appointment.booked');
--> statement-breakpoint
CREATE TRIGGER appointments_told_changed AFTER UPDATE ON appointments FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION tell_of_row('appointment.changed');
--> statement-breakpoint
CREATE TRIGGER surgeries_told_booked AFTER INSERT ON surgeries FOR EACH ROW EXECUTE FUNCTION tell_of_row('surgery.booked');
--> statement-breakpoint
CREATE TRIGGER surgeries_told_changed AFTER UPDATE ON surgeries FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION tell_of_row('surgery.changed');
--> statement-breakpoint
CREATE TRIGGER quotes_told_accepted AFTER UPDATE ON quotes FOR EACH ROW WHEN (NEW.status = 'accepted' AND OLD.status <> 'accepted') EXECUTE FUNCTION tell_of_row('quote.accepted');
--> statement-breakpoint
CREATE TRIGGER receipts_told_complete AFTER UPDATE ON sales_receipts FOR EACH ROW WHEN (NEW.state = 'complete' AND OLD.state <> 'complete' AND NEW.refund_of IS NULL) EXECUTE FUNCTION tell_of_row('receipt.completed');
--> statement-breakpoint
CREATE TRIGGER refunds_told_complete AFTER UPDATE ON sales_receipts FOR EACH ROW WHEN (NEW.state = 'complete' AND OLD.state <> 'complete' AND NEW.refund_of IS NOT NULL) EXECUTE FUNCTION tell_of_row('refund.completed');
