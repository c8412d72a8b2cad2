CREATE TABLE "visit_type_forms" (
	"visit_type_id" uuid NOT NULL,
	"template_id" uuid NOT NULL,
	CONSTRAINT "visit_type_forms_visit_type_id_template_id_pk" PRIMARY KEY("visit_type_id","template_id")
);
--> statement-breakpoint
ALTER TABLE "booking_holds" ADD COLUMN "form_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_type_forms" ADD CONSTRAINT "visit_type_forms_visit_type_id_visit_types_id_fk" FOREIGN KEY ("visit_type_id") REFERENCES "public"."visit_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_type_forms" ADD CONSTRAINT "visit_type_forms_template_id_form_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."form_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visit_type_forms_template" ON "visit_type_forms" USING btree ("template_id");