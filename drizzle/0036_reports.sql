CREATE TABLE "report_sendings" (
	"saved_report_id" uuid NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"recipient_id" uuid NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "report_sendings_saved_report_id_due_at_recipient_id_pk" PRIMARY KEY("saved_report_id","due_at","recipient_id")
);
--> statement-breakpoint
CREATE TABLE "saved_reports" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"ask" jsonb NOT NULL,
	"is_shared" boolean NOT NULL,
	"every" text,
	"weekday" integer,
	"month_day" integer,
	"time" text,
	"recipient_ids" uuid[] DEFAULT '{}' NOT NULL,
	"next_at" timestamp with time zone,
	"last_at" timestamp with time zone,
	"stopped" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "saved_reports_schedule" CHECK (("saved_reports"."every" is null) = ("saved_reports"."time" is null) and ("saved_reports"."every" is not null or "saved_reports"."next_at" is null))
);
--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_saved_report_id_saved_reports_id_fk" FOREIGN KEY ("saved_report_id") REFERENCES "public"."saved_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_recipient_id_profiles_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_reports" ADD CONSTRAINT "saved_reports_owner_id_profiles_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_reports_owner" ON "saved_reports" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "saved_reports_next" ON "saved_reports" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "contact_stage_history_ways" ON "contact_stage_history" USING btree ("to_stage","from_stage","changed_at","contact_id","from_entered_at");