-- What happens to a patient and may start, end or decide a sequence is noted in the transaction of the change: none is missed, and none is noted
-- that did not happen. Nothing is done while no sequence is on and no patient is in one.
CREATE FUNCTION signal_sequences(signal text, patients uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM sequences WHERE on_since IS NOT NULL)
    AND NOT EXISTS (SELECT FROM automation_state WHERE status = 'active' AND due_at IS NOT NULL) THEN RETURN; END IF;
  INSERT INTO sequence_signals (kind, subject_id) SELECT signal, patient FROM unnest(patients) AS patient WHERE patient IS NOT NULL;
  IF FOUND THEN PERFORM graphile_worker.add_job('sequences.signals', '{}'::json, max_attempts => 8); END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION signal_sequences_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences(TG_ARGV[0], ARRAY[NEW.contact_id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION signal_sequences_of_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences('lead', ARRAY(SELECT made.contact_id FROM made JOIN gone USING (id) WHERE made.status = 'completed' AND gone.status <> 'completed'));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION signal_sequences_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences(TG_ARGV[0], ARRAY(SELECT contact_id FROM made));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION signal_sequences_of_reply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences('reply', ARRAY(SELECT contact_id FROM conversations WHERE id = NEW.conversation_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lead_entries_signal AFTER UPDATE ON lead_entries REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION signal_sequences_of_leads();
--> statement-breakpoint
CREATE TRIGGER stages_signal AFTER INSERT ON contact_stage_history REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION signal_sequences_of_rows('stage');
--> statement-breakpoint
CREATE TRIGGER tags_signal AFTER INSERT ON contact_tags REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION signal_sequences_of_rows('tag');
--> statement-breakpoint
CREATE TRIGGER appointments_signal_booked AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION signal_sequences_of_row('appointment');
--> statement-breakpoint
CREATE TRIGGER appointments_signal_changed AFTER UPDATE ON appointments FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION signal_sequences_of_row('appointment');
--> statement-breakpoint
CREATE TRIGGER surgeries_signal_booked AFTER INSERT ON surgeries FOR EACH ROW EXECUTE FUNCTION signal_sequences_of_row('surgery');
--> statement-breakpoint
CREATE TRIGGER surgeries_signal_changed AFTER UPDATE ON surgeries FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION signal_sequences_of_row('surgery');
--> statement-breakpoint
CREATE TRIGGER quotes_signal AFTER UPDATE ON quotes FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION signal_sequences_of_row('quote');
--> statement-breakpoint
CREATE TRIGGER forms_signal AFTER UPDATE ON forms FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION signal_sequences_of_row('form');
--> statement-breakpoint
CREATE TRIGGER messages_signal AFTER INSERT ON messages FOR EACH ROW WHEN (NEW.direction = 'inbound') EXECUTE FUNCTION signal_sequences_of_reply();
