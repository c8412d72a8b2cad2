CREATE TABLE "file_encryption" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"remaining" integer NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "file_encryption_one_row" CHECK ("file_encryption"."is_only")
);
