CREATE TABLE "form_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"form_id" uuid NOT NULL,
	"question" text NOT NULL,
	"part" integer NOT NULL,
	"decision" text NOT NULL,
	"text" text,
	"decided_by" uuid NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "form_decisions_decision" CHECK ("form_decisions"."decision" in ('accepted', 'kept'))
);
--> statement-breakpoint
CREATE TABLE "form_reviews" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"form_id" uuid NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"reviewed_at" timestamp with time zone,
	"reviewed_by" uuid,
	CONSTRAINT "form_reviews_form_id_unique" UNIQUE("form_id"),
	CONSTRAINT "form_reviews_reviewed" CHECK (("form_reviews"."reviewed_at" is null) = ("form_reviews"."reviewed_by" is null))
);
--> statement-breakpoint
ALTER TABLE "form_decisions" ADD CONSTRAINT "form_decisions_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_decisions" ADD CONSTRAINT "form_decisions_decided_by_profiles_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_reviews" ADD CONSTRAINT "form_reviews_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_reviews" ADD CONSTRAINT "form_reviews_reviewed_by_profiles_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "form_decisions_once" ON "form_decisions" USING btree ("form_id","question","part");--> statement-breakpoint
CREATE INDEX "form_reviews_waiting" ON "form_reviews" USING btree ("submitted_at") WHERE "form_reviews"."reviewed_at" is null;