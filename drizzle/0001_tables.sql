CREATE SEQUENCE "public"."quote_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "import_batches" (
	"import_id" uuid NOT NULL,
	"first_row" integer NOT NULL,
	"rows" jsonb NOT NULL,
	CONSTRAINT "import_batches_import_id_first_row_pk" PRIMARY KEY("import_id","first_row")
);
--> statement-breakpoint
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
CREATE TABLE "import_findings" (
	"import_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"row" integer NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"contact_id" uuid,
	"note" text,
	CONSTRAINT "import_findings_import_id_kind_row_pk" PRIMARY KEY("import_id","kind","row")
);
--> statement-breakpoint
CREATE TABLE "import_keys" (
	"import_id" uuid NOT NULL,
	"key" text NOT NULL,
	"row" integer NOT NULL,
	CONSTRAINT "import_keys_import_id_key_pk" PRIMARY KEY("import_id","key")
);
--> statement-breakpoint
CREATE TABLE "import_outcomes" (
	"import_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"contact_id" uuid,
	"record_id" uuid,
	"kind" text NOT NULL,
	"filled" jsonb,
	"tag_ids" uuid[],
	CONSTRAINT "import_outcomes_import_id_row_pk" PRIMARY KEY("import_id","row")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text DEFAULT 'patients' NOT NULL,
	"file_name" text NOT NULL,
	"encoding" text NOT NULL,
	"header_key" text NOT NULL,
	"columns" jsonb NOT NULL,
	"row_count" integer DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'mapping' NOT NULL,
	"on_match" text,
	"next_row" integer DEFAULT 0 NOT NULL,
	"checked" jsonb,
	"result" jsonb,
	"new_tags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"undone" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_merge_rows" (
	"merge_id" uuid NOT NULL,
	"place" text NOT NULL,
	"kind" text NOT NULL,
	"row" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"target_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"snapshot" jsonb,
	"merged_by" uuid,
	"merged_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_by" uuid,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "retention_rules" (
	"kind" text PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"days" integer NOT NULL,
	"last_run_at" timestamp with time zone,
	"last_count" integer
);
--> statement-breakpoint
CREATE TABLE "collection_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint,
	"due_on" date,
	"note" text,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "collection_notes_idempotency_key_unique" UNIQUE("idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"charge_id" uuid,
	"receipt_id" uuid,
	"description" text NOT NULL,
	"due_on" date,
	"is_before_surgery" boolean DEFAULT false NOT NULL,
	"plan" jsonb,
	"source" text DEFAULT 'staff' NOT NULL,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_entries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "ledger_entries_sign" CHECK (("ledger_entries"."amount_cents" > 0) = ("ledger_entries"."kind" in ('charge', 'release')) and "ledger_entries"."amount_cents" <> 0),
	CONSTRAINT "ledger_entries_charge_named" CHECK (("ledger_entries"."kind" = 'charge') = ("ledger_entries"."charge_id" is null))
);
--> statement-breakpoint
CREATE TABLE "sales_receipts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text DEFAULT 'sale' NOT NULL,
	"refund_of" uuid,
	"refund_reason" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"payload_hash" text NOT NULL,
	"request_id" text NOT NULL,
	"realm_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"customer_name" text NOT NULL,
	"lines" jsonb NOT NULL,
	"taxes" jsonb NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"discount_percent" integer NOT NULL,
	"discount_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"deposit_account_id" text NOT NULL,
	"deposit_account_name" text NOT NULL,
	"class_id" text,
	"class_name" text,
	"payment_method" text,
	"charge_id" uuid,
	"is_deposit" boolean DEFAULT false NOT NULL,
	"memo" text,
	"qb_id" text,
	"doc_number" text,
	"qb_total_cents" bigint,
	"is_uncertain" boolean NOT NULL,
	"settling_until" timestamp with time zone,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"logged_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "sales_receipts_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "sales_receipts_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "sales_receipts_refund" CHECK (("sales_receipts"."kind" = 'refund') = ("sales_receipts"."refund_of" is not null) and ("sales_receipts"."kind" = 'refund') = ("sales_receipts"."total_cents" < 0)),
	CONSTRAINT "sales_receipts_adds_up" CHECK ("sales_receipts"."total_cents" = "sales_receipts"."subtotal_cents" - "sales_receipts"."discount_cents" + "sales_receipts"."tax_cents")
);
--> statement-breakpoint
CREATE TABLE "procedure_prices" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"procedure_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"description" text NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"unit_price_cents" integer NOT NULL,
	"tax_code_id" text,
	"item_id" text,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "procedure_prices_amounts" CHECK ("procedure_prices"."quantity" > 0 and "procedure_prices"."unit_price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "contact_customers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"customer_id" text NOT NULL,
	"linked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contact_customers_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "quickbooks_connection" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"realm_id" text NOT NULL,
	"company_name" text NOT NULL,
	"state" text NOT NULL,
	"access_token" text NOT NULL,
	"access_expires_at" timestamp with time zone NOT NULL,
	"refresh_token" text NOT NULL,
	"refresh_expires_at" timestamp with time zone NOT NULL,
	"connected_by" uuid,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quickbooks_connection_only" CHECK ("quickbooks_connection"."is_only")
);
--> statement-breakpoint
CREATE TABLE "quickbooks_lists" (
	"kind" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quickbooks_objects" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"is_active" boolean NOT NULL,
	"facts" jsonb NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"search" text GENERATED ALWAYS AS (fold(name || ' ' || coalesce(email, '') || ' ' || coalesce(facts->>'description', ''))) STORED,
	CONSTRAINT "quickbooks_objects_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"number" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"surgery_id" uuid,
	"title" text NOT NULL,
	"note" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"valid_until" date NOT NULL,
	"lines" jsonb NOT NULL,
	"taxes" jsonb NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"discount_percent" integer,
	"discount_cents" bigint DEFAULT 0 NOT NULL,
	"tax_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"deposit_cents" bigint NOT NULL,
	"deposit_name" text,
	"instalments" jsonb NOT NULL,
	"is_before_surgery" boolean NOT NULL,
	"sent_at" timestamp with time zone,
	"sent_by" uuid,
	"sent_to" text,
	"accepted_at" timestamp with time zone,
	"accepted_by" uuid,
	"accepted_name" text,
	"accepted_address" text,
	"charge_id" uuid,
	"price_before_cents" bigint,
	"ended_at" timestamp with time zone,
	"ended_by" uuid,
	"end_reason" text,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quotes_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "quotes_revision" UNIQUE("number","revision"),
	CONSTRAINT "quotes_status" CHECK ("quotes"."status" in ('draft', 'sent', 'accepted', 'declined', 'superseded', 'withdrawn')),
	CONSTRAINT "quotes_total" CHECK ("quotes"."total_cents" = "quotes"."subtotal_cents" - "quotes"."discount_cents" + "quotes"."tax_cents" and "quotes"."total_cents" > 0),
	CONSTRAINT "quotes_discount" CHECK ("quotes"."discount_cents" between 0 and "quotes"."subtotal_cents" and "quotes"."discount_percent" between 1 and 10000),
	CONSTRAINT "quotes_deposit" CHECK ("quotes"."deposit_cents" between 0 and "quotes"."total_cents"),
	CONSTRAINT "quotes_accepted" CHECK ("quotes"."status" <> 'accepted' or ("quotes"."accepted_at" is not null and "quotes"."charge_id" is not null)),
	CONSTRAINT "quotes_ended" CHECK (("quotes"."status" in ('declined', 'withdrawn')) = ("quotes"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "appointment_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"appointment_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointment_mails" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"appointment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"provider_id" uuid,
	"place" text NOT NULL,
	"message_id" uuid,
	"refusal" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointment_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"appointment_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"weekdays" integer[] NOT NULL,
	"day_parts" text[] NOT NULL,
	"words" text,
	"task_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"type" text NOT NULL,
	"provider_id" uuid,
	"room_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'booked' NOT NULL,
	"cancel_reason" text,
	"notes" text,
	"tells_patient" boolean DEFAULT false NOT NULL,
	"rebook_task_id" uuid,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "appointments_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "appointments_times" CHECK ("appointments"."starts_at" < "appointments"."ends_at"),
	CONSTRAINT "appointments_status" CHECK ("appointments"."status" in ('booked', 'confirmed', 'arrived', 'completed', 'no_show', 'cancelled')),
	CONSTRAINT "appointments_cancelled" CHECK (("appointments"."status" = 'cancelled') = ("appointments"."cancel_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"profile_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "calendar_feeds_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "time_holds" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"what" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"appointment_id" uuid,
	"surgery_id" uuid,
	CONSTRAINT "time_holds_what" CHECK ("time_holds"."what" in ('provider', 'room')),
	CONSTRAINT "time_holds_source" CHECK (num_nonnulls("time_holds"."appointment_id", "time_holds"."surgery_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "checklist_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"procedure_id" uuid,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"owner_role" text NOT NULL,
	"due_days" integer NOT NULL,
	"is_required" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "surgeries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"contact_id" uuid NOT NULL,
	"procedures" jsonb NOT NULL,
	"surgeon_id" uuid,
	"assistant_ids" uuid[] DEFAULT '{}' NOT NULL,
	"anaesthesia" text NOT NULL,
	"room_id" uuid,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'tentative' NOT NULL,
	"cancel_reason" text,
	"implants" text,
	"price_cents" bigint,
	"notes" text,
	"idempotency_key" uuid,
	"payload_hash" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "surgeries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "surgeries_times" CHECK ("surgeries"."starts_at" < "surgeries"."ends_at"),
	CONSTRAINT "surgeries_status" CHECK ("surgeries"."status" in ('tentative', 'confirmed', 'completed', 'postponed', 'cancelled')),
	CONSTRAINT "surgeries_anaesthesia" CHECK ("surgeries"."anaesthesia" in ('none', 'local', 'sedation', 'general')),
	CONSTRAINT "surgeries_cancelled" CHECK (("surgeries"."status" = 'cancelled') = ("surgeries"."cancel_reason" is not null)),
	CONSTRAINT "surgeries_price" CHECK ("surgeries"."price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "surgery_items" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"surgery_id" uuid NOT NULL,
	"procedure_id" uuid,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"owner_role" text NOT NULL,
	"due_days" integer NOT NULL,
	"due_on" date NOT NULL,
	"is_required" boolean NOT NULL,
	"done_on" date,
	"done_by" uuid,
	"note" text
);
--> statement-breakpoint
CREATE TABLE "bulk_change_items" (
	"bulk_change_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"before" jsonb,
	CONSTRAINT "bulk_change_items_bulk_change_id_contact_id_pk" PRIMARY KEY("bulk_change_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "bulk_changes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"change" jsonb NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"undone" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"basis" text NOT NULL,
	"source" text NOT NULL,
	"wording" text,
	"given_at" timestamp with time zone NOT NULL,
	"given_by" uuid,
	"expires_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" uuid,
	"withdrawal_source" text,
	"withdrawn_in_merge" uuid
);
--> statement-breakpoint
CREATE TABLE "contact_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"funnel_stage" uuid NOT NULL,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_day_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_day_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"since" timestamp with time zone NOT NULL,
	"funnel_stage" uuid NOT NULL,
	"procedure_of_interest" uuid,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_source_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_source_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_source" uuid,
	"lead_source_text" text,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"seq" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "contacts_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text,
	"other_emails" text[] DEFAULT '{}' NOT NULL,
	"phone" text,
	"other_phones" text[] DEFAULT '{}' NOT NULL,
	"address" text,
	"city" text,
	"state" text,
	"zip_code" text,
	"company" text,
	"title" text,
	"notes" text,
	"status" text DEFAULT 'active' NOT NULL,
	"lead_source" uuid,
	"lead_source_text" text,
	"funnel_stage" uuid NOT NULL,
	"stage_entered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lost_reason" text,
	"procedure_of_interest" uuid,
	"procedure_text" text,
	"assigned_sales_rep_id" uuid,
	"assigned_provider_id" uuid,
	"last_contact_date" timestamp with time zone,
	"next_follow_up_date" timestamp with time zone,
	"consent_to_communicate" boolean DEFAULT false NOT NULL,
	"import_source" text,
	"weight_loss_medication" text,
	"requires_specialist_consult" boolean DEFAULT false NOT NULL,
	"specialist_consult_type" text,
	"specialist_consult_reason" text,
	"specialist_results_received" boolean DEFAULT false NOT NULL,
	"specialist_results_date" date,
	"specialist_notes" text,
	"surgical_date" date,
	"revenue" bigint,
	"appointment_date" date,
	"appointment_time" text,
	"appointment_location" text,
	"metadata" jsonb,
	"first_attribution" jsonb,
	"latest_attribution" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search_text" text GENERATED ALWAYS AS (contact_search_text(first_name, last_name, email, phone, other_emails, other_phones)) STORED NOT NULL,
	"sort_name" text GENERATED ALWAYS AS (contact_sort_name(first_name, last_name)) STORED NOT NULL,
	CONSTRAINT "contacts_appointment_time" CHECK ("contacts"."appointment_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
CREATE TABLE "deleted_contact_rows" (
	"deletion_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"place" text NOT NULL,
	"row" jsonb NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_stage_history" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"from_stage" uuid,
	"to_stage" uuid NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_by" uuid,
	"from_entered_at" timestamp with time zone,
	"lost_reason" text
);
--> statement-breakpoint
CREATE TABLE "duplicate_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duplicate_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"patient_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "duplicate_pairs" (
	"first_id" uuid NOT NULL,
	"second_id" uuid NOT NULL,
	"reasons" text[] NOT NULL,
	"weight" smallint NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dismissed_at" timestamp with time zone,
	"dismissed_by" uuid,
	CONSTRAINT "duplicate_pairs_first_id_second_id_pk" PRIMARY KEY("first_id","second_id")
);
--> statement-breakpoint
CREATE TABLE "interactions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"type" text NOT NULL,
	"description" text NOT NULL,
	"date" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"outcome" text,
	"qb_sales_receipt_id" text,
	"sales_receipt_data" jsonb,
	"payment_method" text,
	"deposit_account" text,
	"metadata" jsonb,
	"pinned_at" timestamp with time zone,
	"pinned_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_sources" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"webhook_key_hash" text,
	"thank_you_url" text,
	"sends_welcome" boolean DEFAULT true NOT NULL,
	"field_map" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_sources_webhook_key_hash_unique" UNIQUE("webhook_key_hash")
);
--> statement-breakpoint
CREATE TABLE "automation_state" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"automation" text NOT NULL,
	"state" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_claims" (
	"source_id" uuid NOT NULL,
	"claim" text NOT NULL,
	"entry_id" uuid NOT NULL,
	"body_hash" text NOT NULL,
	"claimed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_claims_source_id_claim_pk" PRIMARY KEY("source_id","claim")
);
--> statement-breakpoint
CREATE TABLE "lead_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"source_id" uuid NOT NULL,
	"raw_data" jsonb NOT NULL,
	"raw_body" text NOT NULL,
	"content_type" text NOT NULL,
	"status" text DEFAULT 'processing' NOT NULL,
	"contact_id" uuid,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp with time zone,
	"error_message" text,
	"dismissed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "welcomed_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"welcomed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_recipients" (
	"user_id" uuid NOT NULL,
	"notification_type" text NOT NULL,
	"enabled" boolean NOT NULL,
	CONSTRAINT "notification_recipients_user_id_notification_type_pk" PRIMARY KEY("user_id","notification_type")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"read_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"metadata" jsonb NOT NULL,
	"task_id" uuid NOT NULL,
	"remind_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_stages" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"sort_order" integer NOT NULL,
	"kind" text DEFAULT 'open' NOT NULL,
	"is_initial" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "procedures" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"colour" integer,
	"price_cents" integer,
	"minutes" integer,
	"tax_code_id" text,
	"is_surgical" boolean DEFAULT true NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"list" jsonb NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "contact_tags" (
	"contact_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_tags_contact_id_tag_id_pk" PRIMARY KEY("contact_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_assignees" (
	"task_id" uuid NOT NULL,
	"profile_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "task_assignees_task_id_profile_id_pk" PRIMARY KEY("task_id","profile_id")
);
--> statement-breakpoint
CREATE TABLE "task_undos" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"made_by" uuid NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"items" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"priority" text DEFAULT 'medium' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"due_date" date NOT NULL,
	"due_time_constraint" text,
	"due_at" timestamp with time zone NOT NULL,
	"remind_at" timestamp with time zone NOT NULL,
	"notification_sent" boolean DEFAULT false NOT NULL,
	"completed" boolean DEFAULT false NOT NULL,
	"completed_at" timestamp with time zone,
	"contact_id" uuid,
	"assigned_to" uuid NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tasks_due_time" CHECK ("tasks"."due_time_constraint" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
	CONSTRAINT "tasks_status" CHECK ("tasks"."status" in ('pending', 'in_progress', 'completed', 'cancelled')),
	CONSTRAINT "tasks_completed" CHECK ("tasks"."completed" = ("tasks"."status" = 'completed') and "tasks"."completed" = ("tasks"."completed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"upload_source" text NOT NULL,
	"document_type" text NOT NULL,
	"description" text,
	"is_shared" boolean NOT NULL,
	"review_state" text NOT NULL,
	"reject_reason" text,
	"reviewed_by" uuid,
	"reviewed_at" timestamp with time zone,
	"scan_state" text NOT NULL,
	"uploaded_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_by" uuid,
	CONSTRAINT "documents_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "unused_files" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"found_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_sendings" (
	"saved_report_id" uuid NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"recipient_id" uuid NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "report_sendings_saved_report_id_due_at_recipient_id_pk" PRIMARY KEY("saved_report_id","due_at","recipient_id")
);
--> statement-breakpoint
CREATE TABLE "saved_reports" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"ask" jsonb NOT NULL,
	"is_shared" boolean NOT NULL,
	"every" text,
	"weekday" integer,
	"month_day" integer,
	"time" text,
	"recipient_ids" uuid[] DEFAULT '{}' NOT NULL,
	"next_at" timestamp with time zone,
	"last_at" timestamp with time zone,
	"stopped" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "saved_reports_schedule" CHECK (("saved_reports"."every" is null) = ("saved_reports"."time" is null) and ("saved_reports"."every" is not null or "saved_reports"."next_at" is null))
);
--> statement-breakpoint
CREATE TABLE "email_templates" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"category" text DEFAULT 'general' NOT NULL,
	"variables" jsonb DEFAULT '{"html_content":null}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE TABLE "conversation_notes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"conversation_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contact_id" uuid,
	"subject" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"thread_id" text NOT NULL,
	"address" text NOT NULL,
	"name" text,
	"subject_key" text NOT NULL,
	"assigned_to" uuid,
	"last_message_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"search_text" text GENERATED ALWAYS AS (fold(subject || ' ' || address || ' ' || coalesce(name, ''))) STORED NOT NULL,
	CONSTRAINT "conversations_thread_id_unique" UNIQUE("thread_id")
);
--> statement-breakpoint
CREATE TABLE "message_attachments" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"message_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"content_id" text,
	"document_id" uuid,
	"text" text,
	"storage_key" text,
	"sha256" text,
	"refusal" text,
	CONSTRAINT "message_attachments_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"conversation_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"message_id" text,
	"from_email" text NOT NULL,
	"from_name" text,
	"to_email" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"html_body" text,
	"remote_images" integer DEFAULT 0 NOT NULL,
	"metadata" jsonb,
	"status" text NOT NULL,
	"problem" text,
	"is_commercial" boolean DEFAULT false NOT NULL,
	"sealed_secret" text,
	"idempotency_key" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"read_by" uuid,
	"words" "tsvector" GENERATED ALWAYS AS (mail_words(body)) STORED NOT NULL,
	CONSTRAINT "messages_idempotency_key_unique" UNIQUE("idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "mailbox_connections" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"email" text NOT NULL,
	"sealed" text NOT NULL,
	"grant_hash" text,
	"state" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "mailbox_connections_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "mailbox_draft_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"storage_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mailbox_drafts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"answers" jsonb,
	"to" jsonb NOT NULL,
	"cc" jsonb NOT NULL,
	"bcc" jsonb NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"handed_over_at" timestamp with time zone,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mailbox_links" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"address" text NOT NULL,
	"thread_id" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"linked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"hint" text NOT NULL,
	"token_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"actor_role" text NOT NULL,
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"contact_ids" uuid[] NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL,
	"address" text
);
--> statement-breakpoint
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
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_email_unique" UNIQUE("email"),
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "oauth_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"full_name" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'front_desk' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "profiles_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"token" text NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"proven_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "setup_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"last_step" bigint,
	CONSTRAINT "two_factors_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "suppressed_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"reason" text,
	"detail" text,
	"unsubscribed_at" timestamp with time zone,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "locations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"phone" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_hours" (
	"weekday" integer PRIMARY KEY NOT NULL,
	"opens" text NOT NULL,
	"closes" text NOT NULL,
	CONSTRAINT "practice_hours_weekday" CHECK ("practice_hours"."weekday" between 1 and 7),
	CONSTRAINT "practice_hours_times" CHECK ("practice_hours"."opens" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "practice_hours"."closes" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "practice_hours"."opens" < "practice_hours"."closes")
);
--> statement-breakpoint
CREATE TABLE "practice_settings" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text,
	"subtitle" text,
	"address" text,
	"phone" text,
	"hours" text,
	"hst_number" text,
	"time_zone" text,
	"brand_hue" integer,
	"company_domains" text[],
	"mail_from" text,
	"mail_reply_to" text,
	"logo" text,
	"logo_hash" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "practice_settings_one" CHECK ("practice_settings"."id")
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"location_id" uuid NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"status" integer,
	"failure" text,
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"disabled_at" timestamp with time zone,
	"gave_up_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"busy_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "portal_codes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"email" text NOT NULL,
	"code_hash" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"wrong_tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "portal_sessions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"token_hash" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "portal_sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_findings" ADD CONSTRAINT "import_findings_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_keys" ADD CONSTRAINT "import_keys_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_outcomes" ADD CONSTRAINT "import_outcomes_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_asked_by_profiles_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merge_rows" ADD CONSTRAINT "contact_merge_rows_merge_id_contact_merges_id_fk" FOREIGN KEY ("merge_id") REFERENCES "public"."contact_merges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_merged_by_profiles_id_fk" FOREIGN KEY ("merged_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_undone_by_profiles_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_notes" ADD CONSTRAINT "collection_notes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_notes" ADD CONSTRAINT "collection_notes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_receipt_id_sales_receipts_id_fk" FOREIGN KEY ("receipt_id") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD CONSTRAINT "sales_receipts_refund_of_sales_receipts_id_fk" FOREIGN KEY ("refund_of") REFERENCES "public"."sales_receipts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_receipts" ADD CONSTRAINT "sales_receipts_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "procedure_prices" ADD CONSTRAINT "procedure_prices_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_customers" ADD CONSTRAINT "contact_customers_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quickbooks_connection" ADD CONSTRAINT "quickbooks_connection_connected_by_profiles_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_sent_by_profiles_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_accepted_by_profiles_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_ended_by_profiles_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointment_links" ADD CONSTRAINT "appointment_links_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointment_mails" ADD CONSTRAINT "appointment_mails_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointment_mails" ADD CONSTRAINT "appointment_mails_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointment_requests" ADD CONSTRAINT "appointment_requests_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_provider_id_profiles_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_appointment_id_appointments_id_fk" FOREIGN KEY ("appointment_id") REFERENCES "public"."appointments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_holds" ADD CONSTRAINT "time_holds_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checklist_templates" ADD CONSTRAINT "checklist_templates_procedure_id_procedures_id_fk" FOREIGN KEY ("procedure_id") REFERENCES "public"."procedures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_surgeon_id_profiles_id_fk" FOREIGN KEY ("surgeon_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_room_id_rooms_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."rooms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgeries" ADD CONSTRAINT "surgeries_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surgery_items" ADD CONSTRAINT "surgery_items_surgery_id_surgeries_id_fk" FOREIGN KEY ("surgery_id") REFERENCES "public"."surgeries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_change_items" ADD CONSTRAINT "bulk_change_items_bulk_change_id_bulk_changes_id_fk" FOREIGN KEY ("bulk_change_id") REFERENCES "public"."bulk_changes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD CONSTRAINT "bulk_changes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_given_by_profiles_id_fk" FOREIGN KEY ("given_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_withdrawn_by_profiles_id_fk" FOREIGN KEY ("withdrawn_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_lead_source_lead_sources_id_fk" FOREIGN KEY ("lead_source") REFERENCES "public"."lead_sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_funnel_stage_funnel_stages_id_fk" FOREIGN KEY ("funnel_stage") REFERENCES "public"."funnel_stages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_procedure_of_interest_procedures_id_fk" FOREIGN KEY ("procedure_of_interest") REFERENCES "public"."procedures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_assigned_sales_rep_id_profiles_id_fk" FOREIGN KEY ("assigned_sales_rep_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_assigned_provider_id_profiles_id_fk" FOREIGN KEY ("assigned_provider_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_stage_history" ADD CONSTRAINT "contact_stage_history_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_stage_history" ADD CONSTRAINT "contact_stage_history_from_stage_funnel_stages_id_fk" FOREIGN KEY ("from_stage") REFERENCES "public"."funnel_stages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_stage_history" ADD CONSTRAINT "contact_stage_history_to_stage_funnel_stages_id_fk" FOREIGN KEY ("to_stage") REFERENCES "public"."funnel_stages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_stage_history" ADD CONSTRAINT "contact_stage_history_changed_by_profiles_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "duplicate_pairs" ADD CONSTRAINT "duplicate_pairs_dismissed_by_profiles_id_fk" FOREIGN KEY ("dismissed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "interactions" ADD CONSTRAINT "interactions_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "interactions" ADD CONSTRAINT "interactions_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "interactions" ADD CONSTRAINT "interactions_pinned_by_profiles_id_fk" FOREIGN KEY ("pinned_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_state" ADD CONSTRAINT "automation_state_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_claims" ADD CONSTRAINT "lead_claims_source_id_lead_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."lead_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_entries" ADD CONSTRAINT "lead_entries_source_id_lead_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."lead_sources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_entries" ADD CONSTRAINT "lead_entries_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_recipients" ADD CONSTRAINT "notification_recipients_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_profiles_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assignees" ADD CONSTRAINT "task_assignees_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assignees" ADD CONSTRAINT "task_assignees_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_undos" ADD CONSTRAINT "task_undos_made_by_profiles_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_reviewed_by_profiles_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_uploaded_by_profiles_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_deleted_by_profiles_id_fk" FOREIGN KEY ("deleted_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_saved_report_id_saved_reports_id_fk" FOREIGN KEY ("saved_report_id") REFERENCES "public"."saved_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_sendings" ADD CONSTRAINT "report_sendings_recipient_id_profiles_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_reports" ADD CONSTRAINT "saved_reports_owner_id_profiles_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_updated_by_profiles_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assigned_to_profiles_id_fk" FOREIGN KEY ("assigned_to") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attachments" ADD CONSTRAINT "message_attachments_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_attachments" ADD CONSTRAINT "message_attachments_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_read_by_profiles_id_fk" FOREIGN KEY ("read_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_connections" ADD CONSTRAINT "mailbox_connections_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_draft_files" ADD CONSTRAINT "mailbox_draft_files_draft_id_mailbox_drafts_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."mailbox_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_drafts" ADD CONSTRAINT "mailbox_drafts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_links" ADD CONSTRAINT "mailbox_links_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_links" ADD CONSTRAINT "mailbox_links_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_profiles_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_attempts" ADD CONSTRAINT "oauth_attempts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_location_id_locations_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."locations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_profiles_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_files_base" ON "import_files" USING btree ("import_id","base");--> statement-breakpoint
CREATE INDEX "import_files_storage_key" ON "import_files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "import_outcomes_contact" ON "import_outcomes" USING btree ("import_id","contact_id");--> statement-breakpoint
CREATE INDEX "import_outcomes_record" ON "import_outcomes" USING btree ("import_id","record_id");--> statement-breakpoint
CREATE INDEX "imports_created_by" ON "imports" USING btree ("created_by","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "imports_header_key" ON "imports" USING btree ("header_key","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "contact_merge_rows_merge" ON "contact_merge_rows" USING btree ("merge_id","place");--> statement-breakpoint
CREATE INDEX "contact_merges_target" ON "contact_merges" USING btree ("target_id","merged_at");--> statement-breakpoint
CREATE INDEX "contact_merges_source" ON "contact_merges" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "contact_merges_merged_at" ON "contact_merges" USING btree ("merged_at");--> statement-breakpoint
CREATE INDEX "collection_notes_contact" ON "collection_notes" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_contact" ON "ledger_entries" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_charge" ON "ledger_entries" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_receipt" ON "ledger_entries" USING btree ("receipt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sales_receipts_qb" ON "sales_receipts" USING btree ("realm_id","qb_id");--> statement-breakpoint
CREATE INDEX "sales_receipts_open" ON "sales_receipts" USING btree ("created_at") WHERE "sales_receipts"."state" in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "sales_receipts_created" ON "sales_receipts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "sales_receipts_customer" ON "sales_receipts" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "sales_receipts_refund_of" ON "sales_receipts" USING btree ("refund_of");--> statement-breakpoint
CREATE INDEX "procedure_prices_procedure" ON "procedure_prices" USING btree ("procedure_id","position");--> statement-breakpoint
CREATE INDEX "contact_customers_contact" ON "contact_customers" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "quickbooks_objects_search" ON "quickbooks_objects" USING gin (kind,search gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "quotes_contact" ON "quotes" USING btree ("contact_id","number");--> statement-breakpoint
CREATE INDEX "quotes_surgery" ON "quotes" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "appointment_links_appointment" ON "appointment_links" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "appointment_mails_appointment" ON "appointment_mails" USING btree ("appointment_id","created_at");--> statement-breakpoint
CREATE INDEX "appointment_mails_message" ON "appointment_mails" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_mails_reminder" ON "appointment_mails" USING btree ("appointment_id","kind","starts_at") WHERE "appointment_mails"."kind" in ('reminder_48h', 'reminder_24h');--> statement-breakpoint
CREATE INDEX "appointment_requests_appointment" ON "appointment_requests" USING btree ("appointment_id","created_at");--> statement-breakpoint
CREATE INDEX "appointments_contact" ON "appointments" USING btree ("contact_id","starts_at");--> statement-breakpoint
CREATE INDEX "appointments_start" ON "appointments" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "time_holds_appointment" ON "time_holds" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "time_holds_surgery" ON "time_holds" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "checklist_templates_procedure" ON "checklist_templates" USING btree ("procedure_id");--> statement-breakpoint
CREATE INDEX "surgeries_contact" ON "surgeries" USING btree ("contact_id","starts_at");--> statement-breakpoint
CREATE INDEX "surgeries_start" ON "surgeries" USING btree ("starts_at");--> statement-breakpoint
CREATE INDEX "surgery_items_surgery" ON "surgery_items" USING btree ("surgery_id");--> statement-breakpoint
CREATE INDEX "bulk_change_items_state" ON "bulk_change_items" USING btree ("bulk_change_id","state","contact_id");--> statement-breakpoint
CREATE INDEX "bulk_changes_created_by" ON "bulk_changes" USING btree ("created_by","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "consents_contact" ON "consents" USING btree ("contact_id","given_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "consents_merge" ON "consents" USING btree ("withdrawn_in_merge") WHERE "consents"."withdrawn_in_merge" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_seq" ON "contacts" USING btree ("seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_stage" ON "contacts" USING btree ("funnel_stage","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_source" ON "contacts" USING btree ("lead_source","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_procedure" ON "contacts" USING btree ("procedure_of_interest","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_email" ON "contacts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "contacts_phone" ON "contacts" USING btree (phone_e164(phone));--> statement-breakpoint
CREATE INDEX "contacts_other_emails" ON "contacts" USING gin (lower_all("other_emails")) WHERE "contacts"."other_emails" <> '{}';--> statement-breakpoint
CREATE INDEX "contacts_other_phones" ON "contacts" USING gin (phones_e164("other_phones")) WHERE "contacts"."other_phones" <> '{}';--> statement-breakpoint
CREATE INDEX "contacts_name_key" ON "contacts" USING btree (contact_name_key(first_name, last_name));--> statement-breakpoint
CREATE INDEX "contacts_name" ON "contacts" USING btree ("sort_name","seq");--> statement-breakpoint
CREATE INDEX "contacts_follow_up" ON "contacts" USING btree ("next_follow_up_date","seq");--> statement-breakpoint
CREATE INDEX "contacts_last_contact" ON "contacts" USING btree ("last_contact_date" DESC NULLS LAST,"seq");--> statement-breakpoint
CREATE INDEX "contacts_sales_rep" ON "contacts" USING btree ("assigned_sales_rep_id","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_provider" ON "contacts" USING btree ("assigned_provider_id","seq" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contacts_surgery" ON "contacts" USING btree ("surgical_date","seq");--> statement-breakpoint
CREATE INDEX "contacts_added" ON "contacts" USING btree ("created_at","seq");--> statement-breakpoint
CREATE INDEX "contacts_arrived" ON "contacts" USING btree (get_byte(uuid_send("id"), 15),"created_at","id") WHERE import_source is null or import_source not like 'Import: %';--> statement-breakpoint
CREATE INDEX "contacts_filter" ON "contacts" USING btree ("seq" DESC NULLS FIRST,"id","funnel_stage","lead_source","lead_source_text","procedure_of_interest","procedure_text","assigned_sales_rep_id","assigned_provider_id","created_at","last_contact_date","next_follow_up_date","surgical_date","consent_to_communicate");--> statement-breakpoint
CREATE INDEX "contacts_board" ON "contacts" USING btree ("funnel_stage","stage_entered_at","seq","id","lead_source","lead_source_text","procedure_of_interest","procedure_text","assigned_sales_rep_id","assigned_provider_id","created_at","last_contact_date","next_follow_up_date","surgical_date","consent_to_communicate");--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ((seq >> 15),(seq >> 11),"funnel_stage",search_text gin_trgm_ops,split_part(search_text, chr(10), 1) gin_trgm_ops,split_part(search_text, chr(10), 2) gin_trgm_ops,contact_search_keys(search_text)) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "deleted_contact_rows_deletion" ON "deleted_contact_rows" USING btree ("deletion_id","contact_id");--> statement-breakpoint
CREATE INDEX "deleted_contact_rows_deleted_at" ON "deleted_contact_rows" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "contact_stage_history_contact" ON "contact_stage_history" USING btree ("contact_id","changed_at");--> statement-breakpoint
CREATE INDEX "contact_stage_history_ways" ON "contact_stage_history" USING btree ("to_stage","from_stage","changed_at","contact_id","from_entered_at");--> statement-breakpoint
CREATE INDEX "contact_stage_history_moves" ON "contact_stage_history" USING btree (get_byte(uuid_send("id"), 15),"changed_at","from_stage","to_stage","from_entered_at","contact_id") WHERE from_entered_at is not null;--> statement-breakpoint
CREATE INDEX "duplicate_pairs_second" ON "duplicate_pairs" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "duplicate_pairs_open" ON "duplicate_pairs" USING btree ("weight" DESC NULLS LAST,"found_at" DESC NULLS LAST,"first_id","second_id") WHERE "duplicate_pairs"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "duplicate_pairs_dismissed" ON "duplicate_pairs" USING btree ("dismissed_at" DESC NULLS LAST) WHERE "duplicate_pairs"."dismissed_at" is not null;--> statement-breakpoint
CREATE INDEX "interactions_contact" ON "interactions" USING btree ("contact_id","date" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "interactions_pinned" ON "interactions" USING btree ("contact_id") WHERE "interactions"."pinned_at" is not null;--> statement-breakpoint
CREATE INDEX "interactions_answers" ON "interactions" USING btree ("contact_id","date") WHERE created_by is not null and type in ('call', 'email', 'meeting', 'stage_change', 'stage_changed', 'consult_booked', 'surgery_booked');--> statement-breakpoint
CREATE INDEX "interactions_date" ON "interactions" USING btree ("date" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_name" ON "lead_sources" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "automation_state_contact" ON "automation_state" USING btree ("contact_id","automation");--> statement-breakpoint
CREATE INDEX "lead_claims_claimed_at" ON "lead_claims" USING btree ("claimed_at");--> statement-breakpoint
CREATE INDEX "lead_entries_contact" ON "lead_entries" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "lead_entries_email" ON "lead_entries" USING btree (lower("raw_data"->>'email'));--> statement-breakpoint
CREATE INDEX "lead_entries_bodies" ON "lead_entries" USING btree ("received_at") WHERE raw_body <> '';--> statement-breakpoint
CREATE INDEX "lead_entries_waiting" ON "lead_entries" USING btree ("received_at") WHERE status = 'error' and dismissed_at is null;--> statement-breakpoint
CREATE INDEX "lead_entries_processing" ON "lead_entries" USING btree ("source_id") WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX "lead_entries_source" ON "lead_entries" USING btree ("source_id","received_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("task_id","user_id","remind_at");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","created_at","id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_stages_name" ON "funnel_stages" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_stages_value" ON "funnel_stages" USING btree (lower("value"));--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_stages_initial" ON "funnel_stages" USING btree ("is_initial") WHERE "funnel_stages"."is_initial";--> statement-breakpoint
CREATE UNIQUE INDEX "procedures_name" ON "procedures" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "saved_views_owner" ON "saved_views" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "contact_tags_tag" ON "contact_tags" USING btree ("tag_id","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "task_assignees_profile" ON "task_assignees" USING btree ("profile_id","task_id");--> statement-breakpoint
CREATE INDEX "task_undos_made_at" ON "task_undos" USING btree ("made_at");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("due_at","id") WHERE status in ('pending', 'in_progress');--> statement-breakpoint
CREATE INDEX "tasks_done" ON "tasks" USING btree ("due_at","id") WHERE status in ('completed', 'cancelled');--> statement-breakpoint
CREATE INDEX "tasks_to_remind" ON "tasks" USING btree ("remind_at") WHERE not notification_sent and status in ('pending', 'in_progress');--> statement-breakpoint
CREATE INDEX "tasks_contact" ON "tasks" USING btree ("contact_id","due_at");--> statement-breakpoint
CREATE INDEX "documents_contact" ON "documents" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "documents_waiting" ON "documents" USING btree ("created_at") WHERE "documents"."review_state" = 'pending' and "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("deleted_at") WHERE "documents"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "saved_reports_owner" ON "saved_reports" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "saved_reports_next" ON "saved_reports" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "email_templates_name" ON "email_templates" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "email_templates_category" ON "email_templates" USING btree ("category");--> statement-breakpoint
CREATE INDEX "conversation_notes_conversation" ON "conversation_notes" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "conversations_newest" ON "conversations" USING btree ("last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_last" ON "conversations" USING btree ("status","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_unknown" ON "conversations" USING btree ("last_message_at","id") WHERE "conversations"."contact_id" is null;--> statement-breakpoint
CREATE INDEX "conversations_assigned" ON "conversations" USING btree ("assigned_to","last_message_at","id") WHERE "conversations"."assigned_to" is not null;--> statement-breakpoint
CREATE INDEX "conversations_address" ON "conversations" USING btree ("address","subject_key");--> statement-breakpoint
CREATE INDEX "conversations_search" ON "conversations" USING gin (search_text gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "message_attachments_message" ON "message_attachments" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "message_attachments_document" ON "message_attachments" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "messages_conversation" ON "messages" USING btree ("conversation_id","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_unread" ON "messages" USING btree ("conversation_id","created_at" DESC NULLS LAST) WHERE "messages"."direction" = 'inbound' and "messages"."read_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider" ON "messages" USING btree ("direction","message_id");--> statement-breakpoint
CREATE INDEX "messages_words" ON "messages" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "mailbox_connections_grant" ON "mailbox_connections" USING btree ("grant_hash");--> statement-breakpoint
CREATE INDEX "mailbox_draft_files_draft" ON "mailbox_draft_files" USING btree ("draft_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_draft_files_key" ON "mailbox_draft_files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "mailbox_drafts_user" ON "mailbox_drafts" USING btree ("user_id","updated_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailbox_links_thread" ON "mailbox_links" USING btree ("user_id","address","thread_id");--> statement-breakpoint
CREATE INDEX "mailbox_links_contact" ON "mailbox_links" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING brin ("at");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_changes" ON "audit_log" USING btree (("contact_ids"[1]),"id") WHERE "audit_log"."action" <> 'viewed';--> statement-breakpoint
CREATE INDEX "audit_log_merges" ON "audit_log" USING btree (("contact_ids"[2]),"id") WHERE "audit_log"."action" in ('merged', 'unmerged');--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id") WHERE "audit_log"."action" <> 'viewed';--> statement-breakpoint
CREATE INDEX "audit_log_kind" ON "audit_log" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "audit_log_patients" ON "audit_log" USING gin ("contact_ids") WITH (fastupdate=true,gin_pending_list_limit=65536);--> statement-breakpoint
CREATE INDEX "accounts_user_id" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "idempotent_requests_started" ON "idempotent_requests" USING btree ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "locations_name" ON "locations" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_name" ON "rooms" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_untold" ON "webhook_deliveries" USING btree ("webhook_id","event","subject_id") WHERE "webhook_deliveries"."state" = 'waiting' and "webhook_deliveries"."attempts" = 0;--> statement-breakpoint
CREATE INDEX "portal_codes_email" ON "portal_codes" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "portal_sessions_contact" ON "portal_sessions" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "portal_sessions_created" ON "portal_sessions" USING btree ("created_at");