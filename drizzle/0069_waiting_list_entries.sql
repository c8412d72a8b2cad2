-- exception: removal: no release has the waiting list yet
ALTER TABLE "waiting_wishes" RENAME TO "waiting_list_entries";--> statement-breakpoint
-- exception: removal: no release has the waiting list yet
ALTER TABLE "waiting_offers" RENAME COLUMN "wish_id" TO "entry_id";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_pkey" TO "waiting_list_entries_pkey";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_days" TO "waiting_list_entries_days";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_status" TO "waiting_list_entries_status";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_contact_id_contacts_id_fk" TO "waiting_list_entries_contact_id_contacts_id_fk";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_visit_type_id_visit_types_id_fk" TO "waiting_list_entries_visit_type_id_visit_types_id_fk";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_provider_id_profiles_id_fk" TO "waiting_list_entries_provider_id_profiles_id_fk";--> statement-breakpoint
ALTER TABLE "waiting_list_entries" RENAME CONSTRAINT "waiting_wishes_created_by_profiles_id_fk" TO "waiting_list_entries_created_by_profiles_id_fk";--> statement-breakpoint
ALTER TABLE "waiting_offers" RENAME CONSTRAINT "waiting_offers_wish_id_waiting_wishes_id_fk" TO "waiting_offers_entry_id_waiting_list_entries_id_fk";--> statement-breakpoint
ALTER INDEX "waiting_offers_wish" RENAME TO "waiting_offers_entry";--> statement-breakpoint
ALTER INDEX "waiting_wishes_contact" RENAME TO "waiting_list_entries_contact";--> statement-breakpoint
ALTER INDEX "waiting_wishes_waiting" RENAME TO "waiting_list_entries_waiting";--> statement-breakpoint
ALTER TABLE "booking_holds" ADD COLUMN "offer_id" uuid;--> statement-breakpoint
ALTER TABLE "waiting_list_entries" ADD COLUMN "already_open" integer[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "waiting_list_entries" ADD COLUMN "open_at" timestamp with time zone;
