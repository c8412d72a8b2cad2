CREATE TABLE "surgery_devices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"surgery_id" uuid NOT NULL,
	"lot_id" uuid NOT NULL,
	"serial" text,
	"quantity" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"wasted" integer DEFAULT 0 NOT NULL,
	"returned" integer DEFAULT 0 NOT NULL,
	"side" text,
	"position" text,
	"opened_by" uuid,
	"opened_at" timestamp with time zone NOT NULL,
	"used_by" uuid,
	"used_at" timestamp with time zone,
	"note" text,
	"explanted_on" date,
	"explant_surgery_id" uuid,
	"explant_reason" text,
	"explant_fate" text,
	"explanted_by" uuid,
	"health_entry_id" uuid,
	CONSTRAINT "surgery_devices_quantity" CHECK ("surgery_devices"."quantity" > 0 and ("surgery_devices"."serial" is null or "surgery_devices"."quantity" = 1)),
	CONSTRAINT "surgery_devices_counts" CHECK ("surgery_devices"."used" >= 0 and "surgery_devices"."wasted" >= 0 and "surgery_devices"."returned" >= 0 and "surgery_devices"."used" + "surgery_devices"."wasted" + "surgery_devices"."returned" <= "surgery_devices"."quantity"),
	CONSTRAINT "surgery_devices_used" CHECK (("surgery_devices"."used" > 0) = ("surgery_devices"."used_at" is not null)),
	CONSTRAINT "surgery_devices_side" CHECK ("surgery_devices"."side" in ('left', 'right')),
	CONSTRAINT "surgery_devices_explanted" CHECK ("surgery_devices"."explanted_on" is null or ("surgery_devices"."used" > 0 and "surgery_devices"."explant_reason" is not null and "surgery_devices"."explant_fate" is not null))
);
--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_lot_id_device_lots_id_fk" FOREIGN KEY ("lot_id") REFERENCES "public"."device_lots"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_opened_by_profiles_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_used_by_profiles_id_fk" FOREIGN KEY ("used_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_explant_surgery_id_surgeries_id_fk" FOREIGN KEY ("explant_surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_explanted_by_profiles_id_fk" FOREIGN KEY ("explanted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_devices" ADD CONSTRAINT "surgery_devices_health_entry_id_health_entries_id_fk" FOREIGN KEY ("health_entry_id") REFERENCES "public"."health_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "surgery_devices_surgery" ON "surgery_devices" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "surgery_devices_lot" ON "surgery_devices" USING btree ("lot_id");--> statement-breakpoint
CREATE INDEX "surgery_devices_explant" ON "surgery_devices" USING btree ("explant_surgery_id");