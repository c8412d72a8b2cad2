ALTER TABLE "sequence_steps" ADD COLUMN "click_token" text;--> statement-breakpoint
ALTER TABLE "sequence_steps" ADD COLUMN "links" text[];--> statement-breakpoint
ALTER TABLE "sequence_steps" ADD COLUMN "clicked_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sequence_steps_click" ON "sequence_steps" USING btree ("click_token") WHERE "sequence_steps"."click_token" is not null;
--> statement-breakpoint
-- A branch of a sequence may ask whether a link was opened.
CREATE FUNCTION signal_sequences_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences('link', ARRAY(SELECT contact_id FROM messages JOIN conversations ON conversations.id = messages.conversation_id WHERE messages.id = NEW.message_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION signal_sequences_of_click() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signal_sequences('link', ARRAY(SELECT contact_id FROM automation_state WHERE id = NEW.state_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER text_links_signal AFTER UPDATE ON text_links FOR EACH ROW WHEN (OLD.opened_at IS NULL AND NEW.opened_at IS NOT NULL) EXECUTE FUNCTION signal_sequences_of_link();
--> statement-breakpoint
CREATE TRIGGER sequence_steps_signal AFTER UPDATE ON sequence_steps FOR EACH ROW WHEN (OLD.clicked_at IS NULL AND NEW.clicked_at IS NOT NULL) EXECUTE FUNCTION signal_sequences_of_click();
