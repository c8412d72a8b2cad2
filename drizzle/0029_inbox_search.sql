-- The words of a mail, each once, folded. What is no letter and no digit parts words, so that the parser sees none of its own kinds (addresses,
-- numbers with a sign). Of a long mail the beginning is read.
CREATE FUNCTION mail_words(body text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN strip(to_tsvector('pg_catalog.simple', regexp_replace(fold(left(body, 20000)), '[^[:alnum:]]+' COLLATE pg_c_utf8, ' ', 'g')));
--> statement-breakpoint
-- All words of a term; one of three letters and more may be the beginning of a word. Null when there is none.
CREATE FUNCTION mail_query(term text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT to_tsquery('pg_catalog.simple', string_agg(CASE WHEN length(word) > 2 THEN word || ':*' ELSE word END, ' & '))
    FROM regexp_split_to_table(fold(term), '[^[:alnum:]]+' COLLATE pg_c_utf8) AS word WHERE word <> '');
--> statement-breakpoint
DROP INDEX "conversations_contact";--> statement-breakpoint
DROP INDEX "conversations_last";--> statement-breakpoint
DROP INDEX "conversations_assigned";--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "search_text" text GENERATED ALWAYS AS (fold(subject || ' ' || address || ' ' || coalesce(name, ''))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "words" "tsvector" GENERATED ALWAYS AS (mail_words(body)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "conversations_newest" ON "conversations" USING btree ("last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_unknown" ON "conversations" USING btree ("last_message_at","id") WHERE "conversations"."contact_id" is null;--> statement-breakpoint
CREATE INDEX "conversations_search" ON "conversations" USING gin (search_text gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "messages_words" ON "messages" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_last" ON "conversations" USING btree ("status","last_message_at","id");--> statement-breakpoint
CREATE INDEX "conversations_assigned" ON "conversations" USING btree ("assigned_to","last_message_at","id") WHERE "conversations"."assigned_to" is not null;