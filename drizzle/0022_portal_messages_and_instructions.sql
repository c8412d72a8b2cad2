CREATE TABLE "procedure_instructions" (
	"procedure_id" uuid PRIMARY KEY NOT NULL,
	"preparation_en" text,
	"preparation_fr" text,
	"aftercare_en" text,
	"aftercare_fr" text,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "channel" text DEFAULT 'email' NOT NULL;--> statement-breakpoint
ALTER TABLE "procedure_instructions" ADD CONSTRAINT "procedure_instructions_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;