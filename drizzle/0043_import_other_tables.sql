CREATE TABLE "import_files" (
	"import_id" uuid NOT NULL,
	"key" text NOT NULL,
	"base" text NOT NULL,
	"path" text NOT NULL,
	"refusal" text,
	"document_id" uuid,
	"name" text,
	"mime_type" text,
	"size" bigint,
	"sha256" text,
	"storage_key" text,
	"row" integer,
	CONSTRAINT "import_files_import_id_key_pk" PRIMARY KEY("import_id","key")
);
--> statement-breakpoint
ALTER TABLE "import_outcomes" ALTER COLUMN "contact_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "import_outcomes" ADD COLUMN "record_id" uuid;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "kind" text DEFAULT 'patients' NOT NULL;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_files_base" ON "import_files" USING btree ("import_id","base");--> statement-breakpoint
CREATE INDEX "import_files_storage_key" ON "import_files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "import_outcomes_record" ON "import_outcomes" USING btree ("import_id","record_id");