CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
-- What a provider or a room is taken by never overlaps, be it an appointment or a surgery, whoever writes them at the same time.
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_free"
  EXCLUDE USING gist ("what" WITH =, "resource_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&);
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
-- What every case needs to begin with; administrators change it.
INSERT INTO checklist_templates (kind, words, owner_role, due_days) VALUES
  ('consents', 'Consents signed', 'provider', -7),
  ('balance', 'Balance paid', 'billing', -7),
  ('specialist', 'Specialist’s results received', 'provider', -7),
  ('labs', 'Lab results reviewed', 'provider', -7),
  ('history', 'Health history and allergies reviewed', 'provider', -14),
  ('medication', 'Medication reviewed, and what to stop agreed', 'provider', -14),
  ('pre_op_visit', 'Pre-op visit', 'provider', -7),
  ('driver', 'Who drives home and stays the first night is known', 'front_desk', -2),
  ('post_op_visit', 'Post-op visit', 'provider', 7),
  ('other', 'Called the day after', 'front_desk', 1);
--> statement-breakpoint
-- What a practice begins with; both can be changed in the settings.
INSERT INTO "practice_hours" ("weekday", "opens", "closes")
SELECT weekday, '08:30', '16:30' FROM generate_series(1, 5) AS weekday;
--> statement-breakpoint
INSERT INTO "rooms" ("name", "kind", "sort_order") VALUES
  ('Consult room 1', 'consult', 1),
  ('Consult room 2', 'consult', 2),
  ('Treatment room', 'treatment', 3),
  ('Operating room', 'operating', 4);
