CREATE TABLE "staff_exceptions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"profile_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"opens" text,
	"closes" text,
	"location_id" uuid,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_exceptions_kind" CHECK ("staff_exceptions"."kind" in ('off', 'extra')),
	CONSTRAINT "staff_exceptions_days" CHECK ("staff_exceptions"."from_day" <= "staff_exceptions"."to_day"),
	CONSTRAINT "staff_exceptions_times" CHECK (("staff_exceptions"."opens" is null) = ("staff_exceptions"."closes" is null) and ("staff_exceptions"."opens" is null or ("staff_exceptions"."opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "staff_exceptions"."closes" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "staff_exceptions"."opens" < "staff_exceptions"."closes"))),
	CONSTRAINT "staff_exceptions_extra" CHECK ("staff_exceptions"."kind" = 'off' or "staff_exceptions"."opens" is not null)
);
--> statement-breakpoint
CREATE TABLE "staff_hours" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"profile_id" uuid NOT NULL,
	"weekday" integer NOT NULL,
	"opens" text NOT NULL,
	"closes" text NOT NULL,
	"from_day" date,
	"to_day" date,
	"location_id" uuid,
	CONSTRAINT "staff_hours_weekday" CHECK ("staff_hours"."weekday" between 1 and 7),
	CONSTRAINT "staff_hours_times" CHECK ("staff_hours"."opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "staff_hours"."closes" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "staff_hours"."opens" < "staff_hours"."closes"),
	CONSTRAINT "staff_hours_days" CHECK ("staff_hours"."from_day" <= "staff_hours"."to_day")
);
--> statement-breakpoint
CREATE TABLE "visit_type_people" (
	"visit_type_id" uuid NOT NULL,
	"part" text NOT NULL,
	"profile_id" uuid NOT NULL,
	CONSTRAINT "visit_type_people_visit_type_id_part_profile_id_pk" PRIMARY KEY("visit_type_id","part","profile_id"),
	CONSTRAINT "visit_type_people_part" CHECK ("visit_type_people"."part" in ('provider', 'second'))
);
--> statement-breakpoint
CREATE TABLE "visit_type_rooms" (
	"visit_type_id" uuid NOT NULL,
	"room_id" uuid NOT NULL,
	CONSTRAINT "visit_type_rooms_visit_type_id_room_id_pk" PRIMARY KEY("visit_type_id","room_id")
);
--> statement-breakpoint
CREATE TABLE "visit_types" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"name_fr" text,
	"description" text,
	"description_fr" text,
	"type" text NOT NULL,
	"minutes" integer NOT NULL,
	"buffer_before" integer DEFAULT 0 NOT NULL,
	"buffer_after" integer DEFAULT 0 NOT NULL,
	"notice_hours" integer DEFAULT 0 NOT NULL,
	"horizon_days" integer DEFAULT 90 NOT NULL,
	"max_per_day" integer,
	"patients" text DEFAULT 'all' NOT NULL,
	"is_online" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "visit_types_minutes" CHECK ("visit_types"."minutes" > 0 and "visit_types"."buffer_before" >= 0 and "visit_types"."buffer_after" >= 0),
	CONSTRAINT "visit_types_patients" CHECK ("visit_types"."patients" in ('all', 'new', 'known'))
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "visit_type_id" uuid;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "second_person_id" uuid;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "buffer_before" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "buffer_after" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_exceptions" ADD CONSTRAINT "staff_exceptions_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_exceptions" ADD CONSTRAINT "staff_exceptions_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_hours" ADD CONSTRAINT "staff_hours_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_hours" ADD CONSTRAINT "staff_hours_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_people" ADD CONSTRAINT "visit_type_people_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_people" ADD CONSTRAINT "visit_type_people_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_rooms" ADD CONSTRAINT "visit_type_rooms_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_rooms" ADD CONSTRAINT "visit_type_rooms_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_exceptions_profile" ON "staff_exceptions" USING btree ("profile_id","to_day");--> statement-breakpoint
CREATE INDEX "staff_hours_profile" ON "staff_hours" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "visit_type_people_profile" ON "visit_type_people" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "visit_type_rooms_room" ON "visit_type_rooms" USING btree ("room_id");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_types_name" ON "visit_types" USING btree (lower("name"));--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_second_person_id_profiles_id_fk" FOREIGN KEY ("second_person_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "appointments_visit_type" ON "appointments" USING btree ("visit_type_id","starts_at") WHERE "appointments"."visit_type_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "time_holds_resource" ON "time_holds" USING btree ("resource_id","starts_at","ends_at");
--> statement-breakpoint
-- Appointments also reserve the second person, as a provider, and the buffers around the visit.
CREATE OR REPLACE FUNCTION hold_time_of_appointment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  begins timestamptz := NEW.starts_at - make_interval(mins => NEW.buffer_before);
  ends timestamptz := NEW.ends_at + make_interval(mins => NEW.buffer_after);
BEGIN
  DELETE FROM time_holds WHERE appointment_id = NEW.id;
  IF NEW.status IN ('booked', 'confirmed', 'arrived', 'completed') THEN
    INSERT INTO time_holds (what, resource_id, starts_at, ends_at, appointment_id)
    SELECT what, resource_id, begins, ends, NEW.id
    FROM (VALUES ('provider', NEW.provider_id), ('provider', NEW.second_person_id), ('room', NEW.room_id)) AS held (what, resource_id)
    WHERE resource_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER appointments_hold_other_time AFTER UPDATE ON appointments FOR EACH ROW
  WHEN ((OLD.status, OLD.provider_id, OLD.second_person_id, OLD.room_id, OLD.starts_at, OLD.ends_at, OLD.buffer_before, OLD.buffer_after)
    IS DISTINCT FROM
    (NEW.status, NEW.provider_id, NEW.second_person_id, NEW.room_id, NEW.starts_at, NEW.ends_at, NEW.buffer_before, NEW.buffer_after))
  EXECUTE FUNCTION hold_time_of_appointment();
