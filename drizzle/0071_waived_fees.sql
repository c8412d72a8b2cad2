ALTER TABLE "visit_fees" DROP CONSTRAINT "visit_fees_charge";--> statement-breakpoint
ALTER TABLE "visit_fees" ADD COLUMN "task_id" uuid;--> statement-breakpoint
ALTER TABLE "visit_fees" ADD CONSTRAINT "visit_fees_charged" CHECK ("visit_fees"."state" = 'waived' or "visit_fees"."charge_id" is not null) NOT VALID;