-- Names that say what they are: a webhook is notified, and so is a patient. Deleted and merged patients keep their rows as JSON, with the
-- column's name; they are restored by it.
ALTER TABLE "appointments" RENAME COLUMN "tells_patient" TO "notifies_patient";--> statement-breakpoint
UPDATE "deleted_contact_rows" SET "row" = ("row" - 'tells_patient') || jsonb_build_object('notifies_patient', "row"->'tells_patient')
WHERE "place" = 'appointments' AND "row" ? 'tells_patient';--> statement-breakpoint
UPDATE "contact_merge_rows" SET "row" = ("row" - 'tells_patient') || jsonb_build_object('notifies_patient', "row"->'tells_patient')
WHERE "place" = 'appointments' AND "row" ? 'tells_patient';--> statement-breakpoint
ALTER INDEX "webhook_deliveries_untold" RENAME TO "webhook_deliveries_untried";--> statement-breakpoint
ALTER FUNCTION settle_contact_search() RENAME TO clean_contact_search;--> statement-breakpoint
-- Adds a delivery for each webhook that listens to the event, in the transaction of the change: no delivery without a change, and no change
-- without its delivery. Does nothing while no webhook is on.
CREATE FUNCTION notify_webhooks(topic text, subjects uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, subject_id)
  SELECT webhooks.id, topic, subject FROM webhooks, unnest(subjects) AS subject
  WHERE topic = ANY (webhooks.events) AND webhooks.disabled_at IS NULL
  ORDER BY webhooks.id, subject
  ON CONFLICT DO NOTHING;
  -- Without a key: jobs that share one would make unrelated changes wait for one another.
  IF FOUND THEN PERFORM graphile_worker.add_job('webhooks.deliver', '{}'::json, max_attempts => 8); END IF;
END $$;
--> statement-breakpoint
ALTER FUNCTION tell_of_contacts() RENAME TO notify_contact_webhooks;--> statement-breakpoint
CREATE OR REPLACE FUNCTION notify_contact_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM notify_webhooks('contact.created', ARRAY(SELECT id FROM made));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM notify_webhooks('contact.deleted', ARRAY(SELECT id FROM gone));
  ELSE
    PERFORM notify_webhooks('contact.changed', ARRAY(SELECT made.id FROM made JOIN gone USING (id) WHERE made.version <> gone.version));
    PERFORM notify_webhooks('contact.stage_changed', ARRAY(SELECT made.id FROM made JOIN gone USING (id) WHERE made.funnel_stage <> gone.funnel_stage));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER FUNCTION tell_of_row() RENAME TO notify_row_webhooks;--> statement-breakpoint
CREATE OR REPLACE FUNCTION notify_row_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_webhooks(TG_ARGV[0], ARRAY[NEW.id]);
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP FUNCTION tell_webhooks(text, uuid[]);--> statement-breakpoint
ALTER TRIGGER contacts_told_new ON contacts RENAME TO contacts_notify_created;--> statement-breakpoint
ALTER TRIGGER contacts_told_changed ON contacts RENAME TO contacts_notify_changed;--> statement-breakpoint
ALTER TRIGGER contacts_told_gone ON contacts RENAME TO contacts_notify_deleted;--> statement-breakpoint
ALTER TRIGGER appointments_told_booked ON appointments RENAME TO appointments_notify_booked;--> statement-breakpoint
ALTER TRIGGER appointments_told_changed ON appointments RENAME TO appointments_notify_changed;--> statement-breakpoint
ALTER TRIGGER surgeries_told_booked ON surgeries RENAME TO surgeries_notify_booked;--> statement-breakpoint
ALTER TRIGGER surgeries_told_changed ON surgeries RENAME TO surgeries_notify_changed;--> statement-breakpoint
ALTER TRIGGER quotes_told_accepted ON quotes RENAME TO quotes_notify_accepted;--> statement-breakpoint
ALTER TRIGGER receipts_told_complete ON sales_receipts RENAME TO receipts_notify_complete;--> statement-breakpoint
ALTER TRIGGER refunds_told_complete ON sales_receipts RENAME TO refunds_notify_complete;
