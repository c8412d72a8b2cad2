CREATE TABLE "photo_releases" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"photo_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"released_by" uuid,
	"released_at" timestamp with time zone NOT NULL,
	"taken_back_by" uuid,
	"taken_back_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "photo_releases" ADD CONSTRAINT "photo_releases_photo_id_photos_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_releases" ADD CONSTRAINT "photo_releases_released_by_profiles_id_fk" FOREIGN KEY ("released_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_releases" ADD CONSTRAINT "photo_releases_taken_back_by_profiles_id_fk" FOREIGN KEY ("taken_back_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "photo_releases_photo" ON "photo_releases" USING btree ("photo_id");--> statement-breakpoint
CREATE UNIQUE INDEX "photo_releases_once" ON "photo_releases" USING btree ("contact_id","photo_id") WHERE "photo_releases"."taken_back_at" is null;