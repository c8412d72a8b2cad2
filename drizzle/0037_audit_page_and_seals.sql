CREATE TABLE "audit_seals" (
	"from_id" bigint PRIMARY KEY NOT NULL,
	"to_id" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"gaps" bigint[] NOT NULL,
	"digests" "bytea" NOT NULL,
	"previous" text NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id") WHERE "audit_log"."action" <> 'viewed';--> statement-breakpoint
CREATE INDEX "audit_log_kind" ON "audit_log" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "audit_log_patients" ON "audit_log" USING gin ("contact_ids") WITH (fastupdate=true,gin_pending_list_limit=65536);