ALTER TABLE "oauth_attempts" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_attempts" ADD COLUMN "browser_hash" text;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "emergency_access" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider_account" ON "accounts" USING btree ("provider_id","account_id");