ALTER TABLE "appointments" ADD COLUMN "series_id" uuid;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "series_number" integer;--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "series_visits" integer;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "series_visits" integer;--> statement-breakpoint
ALTER TABLE "visit_types" ADD COLUMN "series_weeks" integer;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "appointments_series_number" ON "appointments" USING btree ("series_id","series_number") WHERE "appointments"."series_id" is not null;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_series" CHECK (num_nulls("appointments"."series_id", "appointments"."series_number", "appointments"."series_visits") in (0, 3) and "appointments"."series_number" between 1 and "appointments"."series_visits") NOT VALID;--> statement-breakpoint
ALTER TABLE "visit_types" ADD CONSTRAINT "visit_types_series" CHECK (("visit_types"."series_visits" is null) = ("visit_types"."series_weeks" is null) and "visit_types"."series_visits" between 2 and 20 and "visit_types"."series_weeks" between 1 and 26) NOT VALID;