-- What the dashboard counts is kept as contact_counts is: as changes that are only added, by the same triggers, and folded by the same job.
CREATE FUNCTION quarter_of_hour(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z')
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_added_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, count(*) FROM added GROUP BY funnel_stage;
  INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
    SELECT quarter_of_hour(created_at), funnel_stage, procedure_of_interest, count(*) FROM added GROUP BY 1, 2, 3;
  INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
    SELECT lead_source, CASE WHEN lead_source IS NULL THEN lead_source_text END, count(*) FROM added GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts (funnel_stage, change) SELECT funnel_stage, -count(*) FROM removed GROUP BY funnel_stage;
  INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
    SELECT quarter_of_hour(created_at), funnel_stage, procedure_of_interest, -count(*) FROM removed GROUP BY 1, 2, 3;
  INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
    SELECT lead_source, CASE WHEN lead_source IS NULL THEN lead_source_text END, -count(*) FROM removed GROUP BY 1, 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_moved_contact() RETURNS trigger LANGUAGE plpgsql AS $$
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
DROP TRIGGER count_moved ON contacts;
--> statement-breakpoint
CREATE TRIGGER count_moved AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.funnel_stage, OLD.procedure_of_interest, OLD.created_at, OLD.lead_source, OLD.lead_source_text)
    IS DISTINCT FROM (NEW.funnel_stage, NEW.procedure_of_interest, NEW.created_at, NEW.lead_source, NEW.lead_source_text))
  EXECUTE FUNCTION count_moved_contact();
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
-- Those who are there already.
INSERT INTO contact_day_counts (since, funnel_stage, procedure_of_interest, change)
  SELECT quarter_of_hour(created_at), funnel_stage, procedure_of_interest, count(*) FROM contacts GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO contact_source_counts (lead_source, lead_source_text, change)
  SELECT lead_source, CASE WHEN lead_source IS NULL THEN lead_source_text END, count(*) FROM contacts GROUP BY 1, 2;
--> statement-breakpoint
UPDATE contact_stage_history AS move SET from_entered_at = before.changed_at
FROM (
  SELECT id, lag(changed_at) OVER moves AS changed_at,
    lag(from_stage) OVER moves = to_stage AND lag(to_stage) OVER moves = from_stage AND changed_at - lag(changed_at) OVER moves < interval '1 minute' AS takes_back,
    lead(to_stage) OVER moves = from_stage AND lead(changed_at) OVER moves - changed_at < interval '1 minute' AS is_taken_back
  FROM contact_stage_history WINDOW moves AS (PARTITION BY contact_id ORDER BY changed_at, id)
) AS before
WHERE before.id = move.id AND move.from_stage IS NOT NULL AND takes_back IS NOT TRUE AND is_taken_back IS NOT TRUE;
