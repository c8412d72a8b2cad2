-- The number of contacts per stage, kept as changes that are only added, so that no insert waits for another.
CREATE FUNCTION count_added_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, count(*) FROM added GROUP BY funnel_stage;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, -count(*) FROM removed GROUP BY funnel_stage;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_moved_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) VALUES (OLD.funnel_stage, -1), (NEW.funnel_stage, 1);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER count_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_contacts();
--> statement-breakpoint
CREATE TRIGGER count_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
--> statement-breakpoint
CREATE TRIGGER count_moved AFTER UPDATE ON contacts FOR EACH ROW WHEN (OLD.funnel_stage IS DISTINCT FROM NEW.funnel_stage) EXECUTE FUNCTION count_moved_contact();
--> statement-breakpoint
-- The audit log is only ever added to, even by the owner of the table.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
INSERT INTO funnel_stages (name, value, sort_order, kind, is_initial) VALUES
  ('Lead', 'lead', 1, 'open', true),
  ('Contacted', 'contacted', 2, 'open', false),
  ('Consult Booked', 'consult_booked', 3, 'open', false),
  ('Consult Done', 'consult_done', 4, 'open', false),
  ('Quote Sent', 'quote_sent', 5, 'open', false),
  ('Surgery Booked', 'surgery_booked', 6, 'won', false),
  ('Cold Lead', 'cold_lead', 7, 'lost', false);
--> statement-breakpoint
INSERT INTO tags (name) VALUES ('Welcome');
