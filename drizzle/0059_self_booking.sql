CREATE TABLE "booking_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visit_type_id" uuid NOT NULL,
	"wanted_provider_id" uuid,
	"provider_id" uuid,
	"second_person_id" uuid,
	"room_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"buffer_before" integer DEFAULT 0 NOT NULL,
	"buffer_after" integer DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"booker" jsonb,
	"code_hash" text,
	"code_expires_at" timestamp with time zone,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"proven_at" timestamp with time zone,
	"held_until" timestamp with time zone,
	"appointment_id" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "booking_holds_times" CHECK ("booking_holds"."starts_at" < "booking_holds"."ends_at"),
	CONSTRAINT "booking_holds_status" CHECK ("booking_holds"."status" in ('open', 'held', 'booked', 'over')),
	CONSTRAINT "booking_holds_held" CHECK ("booking_holds"."status" <> 'held' or ("booking_holds"."proven_at" is not null and "booking_holds"."held_until" is not null))
);
--> statement-breakpoint
ALTER TABLE "time_holds" DROP CONSTRAINT "time_holds_source";--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "change_hours" integer DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_holds" ADD COLUMN "booking_hold_id" uuid;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_wanted_provider_id_profiles_id_fk" FOREIGN KEY ("wanted_provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_provider_id_profiles_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_second_person_id_profiles_id_fk" FOREIGN KEY ("second_person_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_holds" ADD CONSTRAINT "booking_holds_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_holds_email" ON "booking_holds" USING btree (lower("booker"->>'email'));--> statement-breakpoint
CREATE INDEX "booking_holds_expires" ON "booking_holds" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_booking_hold_id_booking_holds_id_fk" FOREIGN KEY ("booking_hold_id") REFERENCES "public"."booking_holds"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "time_holds_booking" ON "time_holds" USING btree ("booking_hold_id");--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_source" CHECK (num_nonnulls("time_holds"."appointment_id", "time_holds"."surgery_id", "time_holds"."booking_hold_id") = 1) NOT VALID;
--> statement-breakpoint
-- A time that a patient is booking is occupied for provider, second person and room, as by an appointment.
CREATE OR REPLACE FUNCTION hold_time_of_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM time_holds WHERE booking_hold_id = NEW.id;
  IF NEW.status = 'held' THEN
    INSERT INTO time_holds (what, resource_id, starts_at, ends_at, booking_hold_id)
    SELECT what, resource_id, NEW.starts_at - make_interval(mins => NEW.buffer_before), NEW.ends_at + make_interval(mins => NEW.buffer_after), NEW.id
    FROM (VALUES ('provider', NEW.provider_id), ('provider', NEW.second_person_id), ('room', NEW.room_id)) AS held (what, resource_id)
    WHERE resource_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER booking_holds_hold_time AFTER INSERT OR UPDATE ON booking_holds FOR EACH ROW EXECUTE FUNCTION hold_time_of_booking();
