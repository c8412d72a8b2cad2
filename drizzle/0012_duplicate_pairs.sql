-- Who may be namesakes: the last name and the beginning of the first, folded, without what is written one way or the other.
CREATE FUNCTION contact_name_key(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(fold(last_name), '[\s''’.-]', '', 'g') || ' ' || left(regexp_replace(fold(first_name), '[\s''’.-]', '', 'g'), 3);
--> statement-breakpoint
CREATE TABLE "duplicate_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duplicate_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"patient_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "duplicate_pairs" (
	"first_id" uuid NOT NULL,
	"second_id" uuid NOT NULL,
	"reasons" text[] NOT NULL,
	"weight" smallint NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dismissed_at" timestamp with time zone,
	"dismissed_by" uuid,
	CONSTRAINT "duplicate_pairs_first_id_second_id_pk" PRIMARY KEY("first_id","second_id")
);
--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_dismissed_by_profiles_id_fk" FOREIGN KEY ("dismissed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "duplicate_pairs_second" ON "duplicate_pairs" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_open" ON "duplicate_pairs" USING btree ("weight" DESC NULLS LAST,"found_at" DESC NULLS LAST,"first_id","second_id") WHERE "duplicate_pairs"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "duplicate_pairs_dismissed" ON "duplicate_pairs" USING btree ("dismissed_at" DESC NULLS LAST) WHERE "duplicate_pairs"."dismissed_at" is not null;--> statement-breakpoint
CREATE INDEX "contacts_name_key" ON "contacts" USING btree (contact_name_key(first_name, last_name));
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
CREATE TRIGGER duplicates_of_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_added_for_duplicates();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_added_for_duplicates();
--> statement-breakpoint
CREATE TRIGGER duplicates_of_changed AFTER UPDATE ON contacts FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.other_emails, OLD.other_phones, OLD.city, OLD.procedure_of_interest)
    IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.other_emails, NEW.other_phones, NEW.city, NEW.procedure_of_interest))
  EXECUTE FUNCTION check_changed_for_duplicates();
--> statement-breakpoint
-- Everybody who is there already: the job works through them in batches.
INSERT INTO duplicate_checks (patient_id) SELECT id FROM contacts;
