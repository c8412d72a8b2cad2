CREATE TABLE "idempotent_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"payload_hash" text,
	"attempt" uuid NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"has_written" boolean DEFAULT false NOT NULL,
	"answer" text
);
--> statement-breakpoint
CREATE INDEX "idempotent_requests_started" ON "idempotent_requests" USING btree ("started_at");