CREATE TABLE "tablet_sessions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"items" jsonb NOT NULL,
	"opened_by" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"code_hash" text NOT NULL,
	"code_expires_at" timestamp with time zone NOT NULL,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"paired_at" timestamp with time zone,
	"token_hash" text,
	"last_seen_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "tablet_sessions_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "tablet_sessions_paired" CHECK (("tablet_sessions"."paired_at" is null) = ("tablet_sessions"."token_hash" is null) and ("tablet_sessions"."paired_at" is null) = ("tablet_sessions"."last_seen_at" is null)),
	CONSTRAINT "tablet_sessions_ended" CHECK (("tablet_sessions"."ended_at" is null) = ("tablet_sessions"."ended_by" is null))
);
--> statement-breakpoint
ALTER TABLE "tablet_sessions" ADD CONSTRAINT "tablet_sessions_opened_by_profiles_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tablet_sessions_contact" ON "tablet_sessions" USING btree ("contact_id","opened_at");--> statement-breakpoint
CREATE INDEX "tablet_sessions_opened" ON "tablet_sessions" USING btree ("opened_at");