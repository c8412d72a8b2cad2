CREATE TABLE "clinical_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"template_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"sections" jsonb NOT NULL,
	"occurred_on" date NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"author_id" uuid NOT NULL,
	"needs_cosign" boolean NOT NULL,
	"signed_by" uuid,
	"signed_at" timestamp with time zone,
	"patient_at_signing" uuid,
	"seal" text,
	"cosigned_by" uuid,
	"cosigned_at" timestamp with time zone,
	"cosign_seal" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" uuid NOT NULL,
	CONSTRAINT "clinical_notes_kind" CHECK (kind in ('consult', 'pre_op', 'operative', 'post_op', 'phone', 'other')),
	CONSTRAINT "clinical_notes_status" CHECK ("clinical_notes"."status" in ('draft', 'signed')),
	CONSTRAINT "clinical_notes_signed" CHECK (("clinical_notes"."status" = 'signed') = ("clinical_notes"."signed_at" is not null) and num_nulls("clinical_notes"."signed_by", "clinical_notes"."signed_at", "clinical_notes"."patient_at_signing", "clinical_notes"."seal") in (0, 4)),
	CONSTRAINT "clinical_notes_cosigned" CHECK (num_nulls("clinical_notes"."cosigned_by", "clinical_notes"."cosigned_at", "clinical_notes"."cosign_seal") in (0, 3) and ("clinical_notes"."cosigned_by" is null or "clinical_notes"."status" = 'signed'))
);
--> statement-breakpoint
CREATE TABLE "note_addenda" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"note_id" uuid NOT NULL,
	"text" text NOT NULL,
	"author_id" uuid NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "note_revisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"note_id" uuid NOT NULL,
	"title" text NOT NULL,
	"occurred_on" date NOT NULL,
	"sections" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"author_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "note_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"sections" jsonb NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	CONSTRAINT "note_templates_kind" CHECK (kind in ('consult', 'pre_op', 'operative', 'post_op', 'phone', 'other'))
);
--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_template_id_note_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."note_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_signed_by_profiles_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_cosigned_by_profiles_id_fk" FOREIGN KEY ("cosigned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_updated_by_profiles_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_addenda" ADD CONSTRAINT "note_addenda_note_id_clinical_notes_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."clinical_notes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_addenda" ADD CONSTRAINT "note_addenda_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_revisions" ADD CONSTRAINT "note_revisions_note_id_clinical_notes_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."clinical_notes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_revisions" ADD CONSTRAINT "note_revisions_author_id_profiles_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_templates" ADD CONSTRAINT "note_templates_updated_by_profiles_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clinical_notes_contact" ON "clinical_notes" USING btree ("contact_id","occurred_on","id");--> statement-breakpoint
CREATE INDEX "note_addenda_note" ON "note_addenda" USING btree ("note_id","id");--> statement-breakpoint
CREATE INDEX "note_revisions_note" ON "note_revisions" USING btree ("note_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "note_templates_name" ON "note_templates" USING btree (lower("name"));--> statement-breakpoint
-- Refuses a change to a signed note. A merge moves it to another patient, whom the seal does not cover, and a co-signature is added once.
CREATE FUNCTION keep_signed_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A signed note cannot be changed';
END $$;
--> statement-breakpoint
CREATE TRIGGER clinical_notes_stay BEFORE UPDATE ON clinical_notes FOR EACH ROW
  WHEN (OLD.status = 'signed' AND ((
    OLD.id, OLD.version, OLD.template_id, OLD.kind, OLD.title, OLD.sections, OLD.occurred_on, OLD.status, OLD.author_id, OLD.needs_cosign,
    OLD.signed_by, OLD.signed_at, OLD.patient_at_signing, OLD.seal, OLD.created_at, OLD.updated_at, OLD.updated_by
  ) IS DISTINCT FROM (
    NEW.id, NEW.version, NEW.template_id, NEW.kind, NEW.title, NEW.sections, NEW.occurred_on, NEW.status, NEW.author_id, NEW.needs_cosign,
    NEW.signed_by, NEW.signed_at, NEW.patient_at_signing, NEW.seal, NEW.created_at, NEW.updated_at, NEW.updated_by
  ) OR OLD.cosigned_at IS NOT NULL AND (OLD.cosigned_by, OLD.cosigned_at, OLD.cosign_seal) IS DISTINCT FROM (NEW.cosigned_by, NEW.cosigned_at, NEW.cosign_seal)))
  EXECUTE FUNCTION keep_signed_note();
--> statement-breakpoint
CREATE TRIGGER note_addenda_stay BEFORE UPDATE ON note_addenda FOR EACH ROW EXECUTE FUNCTION keep_signed_note();
--> statement-breakpoint
-- What is signed is deleted only with its patient: by the end of the transaction, the patient has to be gone as well.
CREATE FUNCTION delete_signed_note_with_patient() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM contacts WHERE id = OLD.contact_id) THEN
    RAISE EXCEPTION 'A signed note is deleted only with its patient';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER clinical_notes_deleted AFTER DELETE ON clinical_notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status = 'signed') EXECUTE FUNCTION delete_signed_note_with_patient();
--> statement-breakpoint
CREATE FUNCTION delete_addendum_with_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM clinical_notes WHERE id = OLD.note_id) THEN
    RAISE EXCEPTION 'An addendum is deleted only with its note';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER note_addenda_deleted AFTER DELETE ON note_addenda DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION delete_addendum_with_note();
--> statement-breakpoint
CREATE TRIGGER clinical_notes_stay_whole BEFORE TRUNCATE ON clinical_notes FOR EACH STATEMENT EXECUTE FUNCTION keep_signed_note();
--> statement-breakpoint
CREATE TRIGGER note_addenda_stay_whole BEFORE TRUNCATE ON note_addenda FOR EACH STATEMENT EXECUTE FUNCTION keep_signed_note();
--> statement-breakpoint
-- The templates of a new clinic.
INSERT INTO note_templates (name, kind, sections) VALUES
  ('Consultation', 'consult', '[{"id": "reason", "title": "Reason for visit", "type": "text", "options": [], "prefill": "Seen about {{procedure}}. Age: {{age}}."}, {"id": "history", "title": "History of present concern", "type": "text", "options": [], "prefill": null}, {"id": "past", "title": "Past medical and surgical history", "type": "text", "options": [], "prefill": null}, {"id": "medications", "title": "Medications", "type": "text", "options": [], "prefill": "{{medications}}"}, {"id": "allergies", "title": "Allergies", "type": "text", "options": [], "prefill": "{{allergies}}"}, {"id": "nicotine", "title": "Nicotine", "type": "choice", "options": ["Never", "Former", "Current smoker", "Vapes or nicotine replacement"], "prefill": null}, {"id": "social", "title": "Social history and support at home", "type": "text", "options": [], "prefill": null}, {"id": "measurements", "title": "Measurements", "type": "values", "options": ["Height (cm)", "Weight (kg)", "BMI", "Blood pressure"], "prefill": null}, {"id": "examination", "title": "Examination", "type": "text", "options": [], "prefill": null}, {"id": "assessment", "title": "Assessment", "type": "text", "options": [], "prefill": null}, {"id": "options", "title": "Options discussed", "type": "choices", "options": ["No treatment", "Non-surgical treatment", "Surgery", "Staged surgery"], "prefill": null}, {"id": "risks", "title": "Risks discussed", "type": "choices", "options": ["Bleeding and haematoma", "Infection", "Scarring", "Asymmetry", "Change in sensation", "Delayed healing", "Need for revision", "Thromboembolism", "Risks of anaesthesia", "Dissatisfaction with the result"], "prefill": null}, {"id": "goals", "title": "Patient goals and expectations", "type": "text", "options": [], "prefill": null}, {"id": "plan", "title": "Plan", "type": "text", "options": [], "prefill": null}]'),
  ('Pre-operative assessment', 'pre_op', '[{"id": "procedure", "title": "Planned procedure", "type": "text", "options": [], "prefill": "{{procedure}}, {{next_surgery}}, {{provider}}."}, {"id": "interval", "title": "Interval history", "type": "text", "options": [], "prefill": null}, {"id": "medications", "title": "Medications, and what to stop", "type": "text", "options": [], "prefill": "{{medications}}"}, {"id": "allergies", "title": "Allergies", "type": "text", "options": [], "prefill": "{{allergies}}"}, {"id": "vitals", "title": "Vital signs", "type": "values", "options": ["Blood pressure", "Heart rate", "Oxygen saturation", "Temperature", "Weight (kg)", "BMI"], "prefill": null}, {"id": "examination", "title": "Heart, lungs and airway", "type": "text", "options": [], "prefill": null}, {"id": "asa", "title": "ASA class", "type": "choice", "options": ["I", "II", "III", "IV"], "prefill": null}, {"id": "vte", "title": "Risk of thromboembolism (Caprini)", "type": "choice", "options": ["Low (0 to 2)", "Moderate (3 to 4)", "High (5 or more)"], "prefill": null}, {"id": "investigations", "title": "Investigations reviewed", "type": "text", "options": [], "prefill": null}, {"id": "ready", "title": "Confirmed with the patient", "type": "choices", "options": ["Procedure and side", "Consent reviewed", "Fasting instructions", "Nicotine stopped", "Ride home and overnight caregiver", "Photographs taken"], "prefill": null}, {"id": "assessment", "title": "Assessment and plan", "type": "text", "options": [], "prefill": null}]'),
  ('Operative note', 'operative', '[{"id": "pre_diagnosis", "title": "Pre-operative diagnosis", "type": "text", "options": [], "prefill": null}, {"id": "post_diagnosis", "title": "Post-operative diagnosis", "type": "text", "options": [], "prefill": "Same."}, {"id": "procedure", "title": "Procedure performed", "type": "text", "options": [], "prefill": "{{procedure}}"}, {"id": "team", "title": "Surgeon and assistants", "type": "text", "options": [], "prefill": "{{provider}}"}, {"id": "anaesthesia", "title": "Anaesthesia", "type": "choice", "options": ["General", "Intravenous sedation", "Regional", "Local"], "prefill": null}, {"id": "prophylaxis", "title": "Prophylaxis", "type": "choices", "options": ["Antibiotic before incision", "Compression stockings", "Intermittent pneumatic compression", "Low-molecular-weight heparin", "Tranexamic acid"], "prefill": null}, {"id": "findings", "title": "Findings", "type": "text", "options": [], "prefill": null}, {"id": "description", "title": "Description of the procedure", "type": "text", "options": [], "prefill": null}, {"id": "implants", "title": "Implants and devices", "type": "text", "options": [], "prefill": null}, {"id": "specimens", "title": "Specimens", "type": "text", "options": [], "prefill": "None."}, {"id": "figures", "title": "Figures", "type": "values", "options": ["Estimated blood loss (mL)", "Intravenous fluids (mL)", "Urine output (mL)", "Tumescent fluid (mL)", "Lipoaspirate (mL)", "Operative time (min)"], "prefill": null}, {"id": "drains", "title": "Drains", "type": "text", "options": [], "prefill": "None."}, {"id": "counts", "title": "Sponge, needle and instrument counts", "type": "choice", "options": ["Correct", "Not applicable", "Incorrect, see description"], "prefill": null}, {"id": "complications", "title": "Complications", "type": "text", "options": [], "prefill": "None."}, {"id": "disposition", "title": "Condition and disposition", "type": "choice", "options": ["Stable, to recovery", "Stable, discharged home", "Transferred"], "prefill": null}, {"id": "plan", "title": "Post-operative plan", "type": "text", "options": [], "prefill": null}]'),
  ('Post-operative visit', 'post_op', '[{"id": "reason", "title": "Visit", "type": "text", "options": [], "prefill": "Follow-up after {{procedure}}."}, {"id": "history", "title": "Since the last visit", "type": "text", "options": [], "prefill": null}, {"id": "recovery", "title": "Recovery", "type": "values", "options": ["Days since surgery", "Pain (0 to 10)", "Temperature", "Drain output (mL in 24 h)"], "prefill": null}, {"id": "incisions", "title": "Incisions and wounds", "type": "choices", "options": ["Clean and dry", "Redness", "Swelling", "Drainage", "Separation", "Signs of infection"], "prefill": null}, {"id": "examination", "title": "Examination", "type": "text", "options": [], "prefill": null}, {"id": "concerns", "title": "Asked about", "type": "choices", "options": ["Fever", "Calf pain or swelling", "Shortness of breath", "Nausea", "Numbness", "Mood"], "prefill": null}, {"id": "done", "title": "Done today", "type": "choices", "options": ["Drains removed", "Sutures removed", "Dressing changed", "Garment fitted", "Photographs taken"], "prefill": null}, {"id": "assessment", "title": "Assessment", "type": "text", "options": [], "prefill": null}, {"id": "plan", "title": "Plan and next visit", "type": "text", "options": [], "prefill": null}]'),
  ('Phone call', 'phone', '[{"id": "caller", "title": "Caller", "type": "text", "options": [], "prefill": "{{patient_name}}"}, {"id": "reason", "title": "Reason for the call", "type": "text", "options": [], "prefill": null}, {"id": "history", "title": "What was reported", "type": "text", "options": [], "prefill": null}, {"id": "red_flags", "title": "Warning signs asked about", "type": "choices", "options": ["Fever", "Bleeding or sudden swelling", "Calf pain or swelling", "Chest pain or shortness of breath", "Severe or increasing pain", "Wound separation or drainage"], "prefill": null}, {"id": "advice", "title": "Advice given", "type": "text", "options": [], "prefill": null}, {"id": "outcome", "title": "Outcome", "type": "choice", "options": ["Reassured, follow up as planned", "Seen earlier", "Sent to the emergency department", "Prescription sent", "Surgeon informed"], "prefill": null}, {"id": "plan", "title": "Plan", "type": "text", "options": [], "prefill": null}]');
