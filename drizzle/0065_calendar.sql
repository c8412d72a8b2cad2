CREATE TABLE "equipment" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "equipment_units" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"equipment_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_type_equipment" (
	"visit_type_id" uuid NOT NULL,
	"equipment_id" uuid NOT NULL,
	CONSTRAINT "visit_type_equipment_visit_type_id_equipment_id_pk" PRIMARY KEY("visit_type_id","equipment_id")
);
--> statement-breakpoint
CREATE TABLE "busy_times" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"calendar_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "busy_times_order" CHECK ("busy_times"."starts_at" < "busy_times"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "subscribed_calendars" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"profile_id" uuid,
	"room_id" uuid,
	"name" text NOT NULL,
	"sealed_url" text NOT NULL,
	"host" text NOT NULL,
	"tried_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"problem" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscribed_calendars_owner" CHECK (num_nonnulls("subscribed_calendars"."profile_id", "subscribed_calendars"."room_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "waiting_offers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wish_id" uuid NOT NULL,
	"provider_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"message_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "waiting_offers_status" CHECK ("waiting_offers"."status" in ('open', 'accepted', 'declined', 'expired', 'gone'))
);
--> statement-breakpoint
CREATE TABLE "waiting_wishes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"visit_type_id" uuid NOT NULL,
	"provider_id" uuid,
	"weekdays" integer[] NOT NULL,
	"day_parts" text[] NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"note" text,
	"status" text DEFAULT 'waiting' NOT NULL,
	"appointment_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "waiting_wishes_days" CHECK ("waiting_wishes"."from_day" <= "waiting_wishes"."to_day"),
	CONSTRAINT "waiting_wishes_status" CHECK ("waiting_wishes"."status" in ('waiting', 'booked', 'ended'))
);
--> statement-breakpoint
ALTER TABLE "time_holds" DROP CONSTRAINT "time_holds_what";--> statement-breakpoint
ALTER TABLE "booking_holds" DROP CONSTRAINT "booking_holds_held";--> statement-breakpoint
ALTER TABLE "booking_holds" ALTER COLUMN "starts_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "booking_holds" ALTER COLUMN "ends_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "equipment_unit_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD COLUMN "equipment_unit_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "equipment_units" ADD CONSTRAINT "equipment_units_equipment_id_equipment_id_fk" FOREIGN KEY ("equipment_id") REFERENCES "public"."equipment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "equipment_units" ADD CONSTRAINT "equipment_units_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_equipment" ADD CONSTRAINT "visit_type_equipment_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_equipment" ADD CONSTRAINT "visit_type_equipment_equipment_id_equipment_id_fk" FOREIGN KEY ("equipment_id") REFERENCES "public"."equipment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "busy_times" ADD CONSTRAINT "busy_times_calendar_id_subscribed_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."subscribed_calendars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD CONSTRAINT "subscribed_calendars_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD CONSTRAINT "subscribed_calendars_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscribed_calendars" ADD CONSTRAINT "subscribed_calendars_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_offers" ADD CONSTRAINT "waiting_offers_wish_id_waiting_wishes_id_fk" FOREIGN KEY ("wish_id") REFERENCES "public"."waiting_wishes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_offers" ADD CONSTRAINT "waiting_offers_provider_id_profiles_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_offers" ADD CONSTRAINT "waiting_offers_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_offers" ADD CONSTRAINT "waiting_offers_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_wishes" ADD CONSTRAINT "waiting_wishes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_wishes" ADD CONSTRAINT "waiting_wishes_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_wishes" ADD CONSTRAINT "waiting_wishes_provider_id_profiles_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_wishes" ADD CONSTRAINT "waiting_wishes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "equipment_name" ON "equipment" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "equipment_units_number" ON "equipment_units" USING btree ("equipment_id","location_id","number");--> statement-breakpoint
CREATE INDEX "visit_type_equipment_equipment" ON "visit_type_equipment" USING btree ("equipment_id");--> statement-breakpoint
CREATE INDEX "busy_times_calendar" ON "busy_times" USING btree ("calendar_id");--> statement-breakpoint
CREATE INDEX "busy_times_resource" ON "busy_times" USING btree ("resource_id","ends_at");--> statement-breakpoint
CREATE INDEX "subscribed_calendars_profile" ON "subscribed_calendars" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "subscribed_calendars_room" ON "subscribed_calendars" USING btree ("room_id");--> statement-breakpoint
CREATE UNIQUE INDEX "waiting_offers_open" ON "waiting_offers" USING btree ("wish_id") WHERE "waiting_offers"."status" = 'open';--> statement-breakpoint
CREATE INDEX "waiting_offers_wish" ON "waiting_offers" USING btree ("wish_id","created_at");--> statement-breakpoint
CREATE INDEX "waiting_offers_message" ON "waiting_offers" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "waiting_wishes_contact" ON "waiting_wishes" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "waiting_wishes_waiting" ON "waiting_wishes" USING btree ("created_at") WHERE "waiting_wishes"."status" = 'waiting';--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_what" CHECK ("time_holds"."what" in ('provider', 'room', 'equipment')) NOT VALID;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_both_times" CHECK (("booking_holds"."starts_at" is null) = ("booking_holds"."ends_at" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_held" CHECK ("booking_holds"."status" <> 'held' or ("booking_holds"."proven_at" is not null and "booking_holds"."held_until" is not null and "booking_holds"."starts_at" is not null)) NOT VALID;
--> statement-breakpoint
-- Appointments and bookings by patients also reserve equipment.
CREATE OR REPLACE FUNCTION hold_time_of_appointment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  begins timestamptz := NEW.starts_at - make_interval(mins => NEW.buffer_before);
  ends timestamptz := NEW.ends_at + make_interval(mins => NEW.buffer_after);
BEGIN
  DELETE FROM time_holds WHERE appointment_id = NEW.id;
  IF NEW.status IN ('booked', 'confirmed', 'arrived', 'completed') THEN
    INSERT INTO time_holds (what, resource_id, starts_at, ends_at, appointment_id)
    SELECT what, resource_id, begins, ends, NEW.id
    FROM (
      VALUES ('provider', NEW.provider_id), ('provider', NEW.second_person_id), ('room', NEW.room_id)
      UNION ALL SELECT 'equipment', unnest(NEW.equipment_unit_ids)
    ) AS held (what, resource_id)
    WHERE resource_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER appointments_hold_other_time AFTER UPDATE ON appointments FOR EACH ROW
  WHEN ((OLD.status, OLD.provider_id, OLD.second_person_id, OLD.room_id, OLD.equipment_unit_ids, OLD.starts_at, OLD.ends_at, OLD.buffer_before, OLD.buffer_after)
    IS DISTINCT FROM
    (NEW.status, NEW.provider_id, NEW.second_person_id, NEW.room_id, NEW.equipment_unit_ids, NEW.starts_at, NEW.ends_at, NEW.buffer_before, NEW.buffer_after))
  EXECUTE FUNCTION hold_time_of_appointment();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION hold_time_of_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM time_holds WHERE booking_hold_id = NEW.id;
  IF NEW.status = 'held' THEN
    INSERT INTO time_holds (what, resource_id, starts_at, ends_at, booking_hold_id)
    SELECT what, resource_id, NEW.starts_at - make_interval(mins => NEW.buffer_before), NEW.ends_at + make_interval(mins => NEW.buffer_after), NEW.id
    FROM (
      VALUES ('provider', NEW.provider_id), ('provider', NEW.second_person_id), ('room', NEW.room_id)
      UNION ALL SELECT 'equipment', unnest(NEW.equipment_unit_ids)
    ) AS held (what, resource_id)
    WHERE resource_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
