CREATE TABLE "locations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"phone" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "locations_name" ON "locations" USING btree (lower("name"));--> statement-breakpoint
-- The first one is where the practice is: an address of its own would be a second place for the same.
INSERT INTO locations (name, sort_order)
SELECT 'Main location', 1
WHERE NOT EXISTS (SELECT FROM rooms) OR EXISTS (SELECT FROM rooms WHERE coalesce(lower(btrim(location)), '') IN ('', 'main location'));--> statement-breakpoint
-- What a room said of its location is what patients were told: it stays that.
INSERT INTO locations (name, address, sort_order)
SELECT min(btrim(location)), min(btrim(location)), 1 + row_number() OVER (ORDER BY lower(btrim(location)))
FROM rooms WHERE btrim(location) <> '' AND lower(btrim(location)) <> 'main location'
GROUP BY lower(btrim(location));--> statement-breakpoint
ALTER TABLE "rooms" ADD COLUMN "location_id" uuid;--> statement-breakpoint
UPDATE rooms SET location_id = coalesce(
  (SELECT id FROM locations WHERE lower(locations.name) = lower(btrim(rooms.location))),
  (SELECT id FROM locations ORDER BY sort_order LIMIT 1)
);--> statement-breakpoint
ALTER TABLE "rooms" ALTER COLUMN "location_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rooms" DROP COLUMN "location";
