-- What a provider or a room is taken by never overlaps, be it an appointment or a surgery, whoever writes them at the same time.
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_free"
  EXCLUDE USING gist ("what" WITH =, "resource_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&);
--> statement-breakpoint
-- The audit log is only ever added to, even by the owner of the table.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE FUNCTION contact_search_is_quick() RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce('fastupdate=on' = ANY (reloptions), false) FROM pg_class WHERE oid = to_regclass('contacts_search');
$$;
--> statement-breakpoint
-- The search index takes one row at a time, about a millisecond each (fastupdate is off: a pending list is read by each search). While an
-- import runs it takes the rows of a batch together, from a pending list that is emptied after each batch. Only the owner of the table may
-- switch that, so these run as the owner.
CREATE FUNCTION begin_contact_import() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT contact_search_is_quick() THEN
    PERFORM set_config('lock_timeout', '500ms', true);
    ALTER INDEX contacts_search SET (fastupdate = on);
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION settle_contact_search() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT gin_clean_pending_list('contacts_search');
$$;
--> statement-breakpoint
-- Waits for nobody for long: whoever asks tries again.
CREATE FUNCTION end_contact_import() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF contact_search_is_quick() THEN
    PERFORM set_config('lock_timeout', '500ms', true);
    ALTER INDEX contacts_search SET (fastupdate = off);
  END IF;
END $$;
--> statement-breakpoint
-- Whoever is added, taken away or changed in what tells patients apart is looked at again. Rows are only added, so that no writer waits.
CREATE FUNCTION check_added_for_duplicates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_checks (patient_id) SELECT id FROM changed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION check_changed_for_duplicates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_checks (patient_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_added_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, count(*) FROM added GROUP BY funnel_stage;
  INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
    SELECT quarter_of_hour(created_at), funnel_stage, procedure_of_interest, count(*) FROM added GROUP BY 1, 2, 3;
  INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
    SELECT lead_source, CASE WHEN lead_source IS NULL THEN lead_source_text END, count(*) FROM added GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, -count(*) FROM removed GROUP BY funnel_stage;
  INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
    SELECT quarter_of_hour(created_at), funnel_stage, procedure_of_interest, -count(*) FROM removed GROUP BY 1, 2, 3;
  INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
    SELECT lead_source, CASE WHEN lead_source IS NULL THEN lead_source_text END, -count(*) FROM removed GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_moved_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.funnel_stage IS DISTINCT FROM NEW.funnel_stage THEN
    INSERT INTO contact_counts (funnel_stage, change) VALUES (OLD.funnel_stage, -1), (NEW.funnel_stage, 1);
  END IF;
  IF (OLD.funnel_stage, OLD.procedure_of_interest, OLD.created_at) IS DISTINCT FROM (NEW.funnel_stage, NEW.procedure_of_interest, NEW.created_at) THEN
    INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change) VALUES
      (quarter_of_hour(OLD.created_at), OLD.funnel_stage, OLD.procedure_of_interest, -1),
      (quarter_of_hour(NEW.created_at), NEW.funnel_stage, NEW.procedure_of_interest, 1);
  END IF;
  IF (OLD.lead_source, OLD.lead_source_text) IS DISTINCT FROM (NEW.lead_source, NEW.lead_source_text) THEN
    INSERT INTO contact_source_counts (lead_source, lead_source_text, change) VALUES
      (OLD.lead_source, CASE WHEN OLD.lead_source IS NULL THEN OLD.lead_source_text END, -1),
      (NEW.lead_source, CASE WHEN NEW.lead_source IS NULL THEN NEW.lead_source_text END, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Folds the changes: one row for each stage; for each stage, procedure and day since `kept_from`, with one for all that is older; and for each
-- source. Only what has changed is written anew. Whoever reads sees the rows before or after, and the same sums; of two who fold at once, each
-- adds up what it has taken away itself.
CREATE FUNCTION fold_contact_counts(zone text, kept_from timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH keyed AS (SELECT id, count(*) OVER (PARTITION BY funnel_stage) AS rows FROM contact_counts),
  gone AS (DELETE FROM contact_counts AS c USING keyed WHERE c.id = keyed.id AND (rows > 1 OR c.change = 0) RETURNING c.*)
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, sum(change) FROM gone GROUP BY 1 HAVING sum(change) <> 0;

  WITH aged AS (
    SELECT id, since, funnel_stage, procedure_of_interest, CASE WHEN since < kept_from THEN '-infinity' ELSE date_trunc('day', since, zone) END AS day
    FROM contact_day_counts
  ),
  keyed AS (SELECT id, day, since <> day OR count(*) OVER (PARTITION BY day, funnel_stage, procedure_of_interest) > 1 AS moves FROM aged),
  gone AS (DELETE FROM contact_day_counts AS c USING keyed WHERE c.id = keyed.id AND (moves OR c.change = 0) RETURNING c.*, day)
  INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
    SELECT day, funnel_stage, procedure_of_interest, sum(change) FROM gone GROUP BY 1, 2, 3 HAVING sum(change) <> 0;

  WITH keyed AS (SELECT id, count(*) OVER (PARTITION BY lead_source, lead_source_text) AS rows FROM contact_source_counts),
  gone AS (DELETE FROM contact_source_counts AS c USING keyed WHERE c.id = keyed.id AND (rows > 1 OR c.change = 0) RETURNING c.*)
  INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
    SELECT lead_source, lead_source_text, sum(change) FROM gone GROUP BY 1, 2 HAVING sum(change) <> 0;
END $$;
--> statement-breakpoint
CREATE FUNCTION hold_time_of_appointment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM time_holds WHERE appointment_id = NEW.id;
  IF NEW.status IN ('booked', 'confirmed', 'arrived', 'completed') THEN
    -- The provider's before the room's: two that collide meet in the same order.
    IF NEW.provider_id IS NOT NULL THEN
      INSERT INTO time_holds (what, resource_id, starts_at, ends_at, appointment_id)
      VALUES ('provider', NEW.provider_id, NEW.starts_at, NEW.ends_at, NEW.id);
    END IF;
    IF NEW.room_id IS NOT NULL THEN
      INSERT INTO time_holds (what, resource_id, starts_at, ends_at, appointment_id)
      VALUES ('room', NEW.room_id, NEW.starts_at, NEW.ends_at, NEW.id);
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION hold_time_of_surgery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM time_holds WHERE surgery_id = NEW.id;
  IF NEW.status IN ('tentative', 'confirmed', 'completed') THEN
    IF NEW.surgeon_id IS NOT NULL THEN
      INSERT INTO time_holds (what, resource_id, starts_at, ends_at, surgery_id)
      VALUES ('provider', NEW.surgeon_id, NEW.starts_at, NEW.ends_at, NEW.id);
    END IF;
    IF NEW.room_id IS NOT NULL THEN
      INSERT INTO time_holds (what, resource_id, starts_at, ends_at, surgery_id)
      VALUES ('room', NEW.room_id, NEW.starts_at, NEW.ends_at, NEW.id);
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What was sent to a patient stays as it was sent, whatever the application does: a change is a new version.
CREATE FUNCTION keep_sent_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A quote that was sent stays as it was sent';
END $$;
--> statement-breakpoint
-- Puts what is pending of the index by patient into its place; only the owner of an index may, and the application's role owns nothing.
CREATE FUNCTION audit_tidy() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT gin_clean_pending_list('public.audit_log_patients'::regclass)
$$;
--> statement-breakpoint
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
CREATE FUNCTION tell_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_webhooks(TG_ARGV[0], ARRAY[NEW.id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER count_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_contacts();
--> statement-breakpoint
CREATE TRIGGER count_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_added_for_duplicates();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_added_for_duplicates();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_changed AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.other_emails, OLD.other_phones, OLD.city, OLD.procedure_of_interest)
    IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.other_emails, NEW.other_phones, NEW.city, NEW.procedure_of_interest))
  EXECUTE FUNCTION check_changed_for_duplicates();
--> statement-breakpoint
CREATE TRIGGER count_moved AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.funnel_stage, OLD.procedure_of_interest, OLD.created_at, OLD.lead_source, OLD.lead_source_text)
    IS DISTINCT FROM (NEW.funnel_stage, NEW.procedure_of_interest, NEW.created_at, NEW.lead_source, NEW.lead_source_text))
  EXECUTE FUNCTION count_moved_contact();
--> statement-breakpoint
CREATE TRIGGER appointments_hold_time AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION hold_time_of_appointment();
--> statement-breakpoint
CREATE TRIGGER appointments_hold_other_time AFTER UPDATE ON appointments FOR EACH ROW
  WHEN ((OLD.status, OLD.provider_id, OLD.room_id, OLD.starts_at, OLD.ends_at)
    IS DISTINCT FROM (NEW.status, NEW.provider_id, NEW.room_id, NEW.starts_at, NEW.ends_at))
  EXECUTE FUNCTION hold_time_of_appointment();
--> statement-breakpoint
CREATE TRIGGER surgeries_hold_time AFTER INSERT ON surgeries FOR EACH ROW EXECUTE FUNCTION hold_time_of_surgery();
--> statement-breakpoint
CREATE TRIGGER surgeries_hold_other_time AFTER UPDATE ON surgeries FOR EACH ROW
  WHEN ((OLD.status, OLD.surgeon_id, OLD.room_id, OLD.starts_at, OLD.ends_at)
    IS DISTINCT FROM (NEW.status, NEW.surgeon_id, NEW.room_id, NEW.starts_at, NEW.ends_at))
  EXECUTE FUNCTION hold_time_of_surgery();
--> statement-breakpoint
-- Seals are only ever added, as what they hold.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER contacts_told_new AFTER INSERT ON contacts REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_told_changed AFTER UPDATE ON contacts REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
--> statement-breakpoint
CREATE TRIGGER contacts_told_gone AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tell_of_contacts();
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
