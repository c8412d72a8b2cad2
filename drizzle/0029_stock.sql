CREATE TABLE "device_lots" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"device_id" uuid NOT NULL,
	"lot" text NOT NULL,
	"expires_on" date,
	"made_on" date
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"maker" text NOT NULL,
	"model" text NOT NULL,
	"size" text,
	"kind" text NOT NULL,
	"udi_di" text,
	"side" text,
	"has_serials" boolean NOT NULL,
	"is_sterile" boolean NOT NULL,
	"minimum" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "devices_udi_di" UNIQUE("udi_di"),
	CONSTRAINT "devices_udi_di_digits" CHECK ("devices"."udi_di" ~ '^[0-9]{14}$'),
	CONSTRAINT "devices_side" CHECK ("devices"."side" in ('left', 'right')),
	CONSTRAINT "devices_minimum" CHECK ("devices"."minimum" >= 0)
);
--> statement-breakpoint
CREATE TABLE "stock_levels" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"device_id" uuid NOT NULL,
	"lot_id" uuid NOT NULL,
	"serial" text,
	"place_id" uuid,
	"surgery_device_id" uuid,
	"quantity" integer NOT NULL,
	CONSTRAINT "stock_levels_place" UNIQUE NULLS NOT DISTINCT("lot_id","serial","place_id","surgery_device_id"),
	CONSTRAINT "stock_levels_quantity" CHECK ("stock_levels"."quantity" >= 0 and ("stock_levels"."serial" is null or "stock_levels"."quantity" <= 1)),
	CONSTRAINT "stock_levels_one_place" CHECK (num_nonnulls("stock_levels"."place_id", "stock_levels"."surgery_device_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "stock_movements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"lot_id" uuid NOT NULL,
	"serial" text,
	"quantity" integer NOT NULL,
	"from_place_id" uuid,
	"to_place_id" uuid,
	"surgery_device_id" uuid,
	"reason" text,
	"by" uuid,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_movements_quantity" CHECK ("stock_movements"."quantity" > 0 and ("stock_movements"."serial" is null or "stock_movements"."quantity" = 1)),
	CONSTRAINT "stock_movements_places" CHECK (case "stock_movements"."kind"
        when 'receive' then "stock_movements"."from_place_id" is null and "stock_movements"."to_place_id" is not null and "stock_movements"."surgery_device_id" is null
        when 'move' then "stock_movements"."from_place_id" is not null and "stock_movements"."to_place_id" is not null and "stock_movements"."from_place_id" <> "stock_movements"."to_place_id" and "stock_movements"."surgery_device_id" is null
        when 'open' then "stock_movements"."from_place_id" is not null and "stock_movements"."to_place_id" is null and "stock_movements"."surgery_device_id" is not null
        when 'return' then num_nonnulls("stock_movements"."from_place_id", "stock_movements"."surgery_device_id") = 1 and ("stock_movements"."to_place_id" is null) = ("stock_movements"."surgery_device_id" is null)
        when 'waste' then num_nonnulls("stock_movements"."from_place_id", "stock_movements"."surgery_device_id") = 1 and "stock_movements"."to_place_id" is null
        else "stock_movements"."kind" in ('use', 'correct', 'explant') and "stock_movements"."from_place_id" is null and "stock_movements"."to_place_id" is null and "stock_movements"."surgery_device_id" is not null
      end)
);
--> statement-breakpoint
CREATE TABLE "stock_places" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_lots" ADD CONSTRAINT "device_lots_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_lot_id_device_lots_id_fk" FOREIGN KEY ("lot_id") REFERENCES "public"."device_lots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_place_id_stock_places_id_fk" FOREIGN KEY ("place_id") REFERENCES "public"."stock_places"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_lot_id_device_lots_id_fk" FOREIGN KEY ("lot_id") REFERENCES "public"."device_lots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_from_place_id_stock_places_id_fk" FOREIGN KEY ("from_place_id") REFERENCES "public"."stock_places"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_to_place_id_stock_places_id_fk" FOREIGN KEY ("to_place_id") REFERENCES "public"."stock_places"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_by_profiles_id_fk" FOREIGN KEY ("by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_lots_lot" ON "device_lots" USING btree ("device_id","lot");--> statement-breakpoint
CREATE INDEX "device_lots_expiry" ON "device_lots" USING btree ("expires_on");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_name" ON "devices" USING btree (lower("maker"),lower("model"),lower(coalesce("size", '')));--> statement-breakpoint
CREATE UNIQUE INDEX "stock_levels_serial" ON "stock_levels" USING btree ("device_id","serial") WHERE "stock_levels"."quantity" > 0;--> statement-breakpoint
CREATE INDEX "stock_levels_device" ON "stock_levels" USING btree ("device_id") WHERE "stock_levels"."quantity" > 0;--> statement-breakpoint
CREATE INDEX "stock_movements_lot" ON "stock_movements" USING btree ("lot_id","at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_serial" ON "stock_movements" USING btree ("serial");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_places_name" ON "stock_places" USING btree (lower("name"));--> statement-breakpoint
-- Applies a movement to stock_levels. The lock of the lot orders all movements of a lot, so that those of two places never wait for each other.
CREATE FUNCTION apply_stock_movement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved_device uuid;
  counts_serials boolean;
  takes boolean := NEW.kind IN ('move', 'open', 'waste', 'return', 'explant');
  gives boolean := NEW.kind IN ('receive', 'move', 'open') OR NEW.kind = 'return' AND NEW.to_place_id IS NOT NULL;
BEGIN
  SELECT device_id INTO moved_device FROM device_lots WHERE id = NEW.lot_id FOR NO KEY UPDATE;
  SELECT has_serials INTO counts_serials FROM devices WHERE id = moved_device;
  IF counts_serials <> (NEW.serial IS NOT NULL) THEN
    RAISE EXCEPTION 'A movement of this device % a serial number', CASE WHEN counts_serials THEN 'needs' ELSE 'has no' END
      USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_serial';
  END IF;
  IF NEW.kind = 'receive' AND NEW.serial IS NOT NULL AND (
    SELECT moved.kind FROM stock_movements AS moved JOIN device_lots AS lot ON lot.id = moved.lot_id
    WHERE lot.device_id = moved_device AND moved.serial = NEW.serial AND moved.kind IN ('use', 'correct') ORDER BY moved.at DESC, moved.id DESC LIMIT 1
  ) = 'use' THEN
    RAISE EXCEPTION 'What was used is not received again' USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_movements_used';
  END IF;
  IF takes THEN
    UPDATE stock_levels SET quantity = quantity - NEW.quantity
    WHERE lot_id = NEW.lot_id AND serial IS NOT DISTINCT FROM NEW.serial AND place_id IS NOT DISTINCT FROM NEW.from_place_id
      AND surgery_device_id IS NOT DISTINCT FROM CASE WHEN NEW.kind = 'open' THEN NULL ELSE NEW.surgery_device_id END;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'There is no such stock' USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_levels_quantity';
    END IF;
  END IF;
  IF gives THEN
    INSERT INTO stock_levels (device_id, lot_id, serial, place_id, surgery_device_id, quantity)
    VALUES (moved_device, NEW.lot_id, NEW.serial, NEW.to_place_id, CASE WHEN NEW.kind = 'open' THEN NEW.surgery_device_id END, NEW.quantity)
    ON CONFLICT ON CONSTRAINT stock_levels_place DO UPDATE SET quantity = stock_levels.quantity + excluded.quantity;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER apply BEFORE INSERT ON stock_movements FOR EACH ROW EXECUTE FUNCTION apply_stock_movement();
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON stock_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
