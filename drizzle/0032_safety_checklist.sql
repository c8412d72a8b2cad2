CREATE TABLE "safety_answers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"surgery_id" uuid NOT NULL,
	"day" date NOT NULL,
	"phase" text NOT NULL,
	"item" text NOT NULL,
	"answer" text NOT NULL,
	"note" text,
	"answered_by" uuid NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "safety_answers_phase" CHECK ("safety_answers"."phase" in ('sign_in', 'time_out', 'sign_out')),
	CONSTRAINT "safety_answers_answer" CHECK ("safety_answers"."answer" in ('yes', 'no', 'not_applicable'))
);
--> statement-breakpoint
CREATE TABLE "safety_phases" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"surgery_id" uuid NOT NULL,
	"day" date,
	"phase" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"identity" jsonb,
	"closed_by" uuid,
	"closed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "safety_phases_once" UNIQUE NULLS NOT DISTINCT("surgery_id","day","phase"),
	CONSTRAINT "safety_phases_phase" CHECK ("safety_phases"."phase" in ('sign_in', 'time_out', 'sign_out')),
	CONSTRAINT "safety_phases_outcome" CHECK ("safety_phases"."outcome" in ('confirmed', 'waived')),
	CONSTRAINT "safety_phases_waived" CHECK (("safety_phases"."outcome" = 'waived') = ("safety_phases"."reason" is not null)),
	CONSTRAINT "safety_phases_identity" CHECK (("safety_phases"."outcome" = 'confirmed' and "safety_phases"."phase" in ('sign_in', 'time_out')) = ("safety_phases"."identity" is not null))
);
--> statement-breakpoint
ALTER TABLE "safety_answers" ADD CONSTRAINT "safety_answers_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_answers" ADD CONSTRAINT "safety_answers_answered_by_profiles_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_phases" ADD CONSTRAINT "safety_phases_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safety_phases" ADD CONSTRAINT "safety_phases_closed_by_profiles_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "safety_answers_surgery" ON "safety_answers" USING btree ("surgery_id","id");--> statement-breakpoint
-- Answers and closed phases are never changed.
CREATE FUNCTION keep_safety_checklist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A safety checklist cannot be changed';
END $$;
--> statement-breakpoint
CREATE TRIGGER safety_answers_stay BEFORE UPDATE ON safety_answers FOR EACH ROW EXECUTE FUNCTION keep_safety_checklist();
--> statement-breakpoint
CREATE TRIGGER safety_phases_stay BEFORE UPDATE ON safety_phases FOR EACH ROW EXECUTE FUNCTION keep_safety_checklist();
--> statement-breakpoint
CREATE TRIGGER safety_answers_stay_whole BEFORE TRUNCATE ON safety_answers FOR EACH STATEMENT EXECUTE FUNCTION keep_safety_checklist();
--> statement-breakpoint
CREATE TRIGGER safety_phases_stay_whole BEFORE TRUNCATE ON safety_phases FOR EACH STATEMENT EXECUTE FUNCTION keep_safety_checklist();
--> statement-breakpoint
-- Nothing is answered after a phase was closed. A restored patient brings back answers from before.
CREATE FUNCTION answer_open_safety_phase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM safety_phases WHERE surgery_id = NEW.surgery_id AND day = NEW.day AND phase = NEW.phase AND closed_at < NEW.answered_at) THEN
    RAISE EXCEPTION 'This phase of the safety checklist is closed';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER safety_answers_open BEFORE INSERT ON safety_answers FOR EACH ROW EXECUTE FUNCTION answer_open_safety_phase();
--> statement-breakpoint
-- A checklist is deleted only with its surgery: by the end of the transaction, the surgery has to be gone as well.
CREATE FUNCTION delete_safety_checklist_with_surgery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM surgeries WHERE id = OLD.surgery_id) THEN
    RAISE EXCEPTION 'A safety checklist is deleted only with its surgery';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER safety_answers_deleted AFTER DELETE ON safety_answers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION delete_safety_checklist_with_surgery();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER safety_phases_deleted AFTER DELETE ON safety_phases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION delete_safety_checklist_with_surgery();
--> statement-breakpoint
-- Surgeries that took place before the checklist existed are not held up by it.
INSERT INTO safety_phases (surgery_id, phase, outcome, reason, closed_at)
SELECT surgeries.id, phase, 'waived', 'The surgery took place before the safety checklist was kept here', now()
FROM surgeries CROSS JOIN unnest(ARRAY['sign_in', 'time_out', 'sign_out']) AS phase
WHERE surgeries.starts_at < now() AND surgeries.status IN ('tentative', 'confirmed', 'completed');
