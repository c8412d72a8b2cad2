-- Every seven digits in a row of a text, each once: the index keys of phone numbers (see list/term-sql.ts).
CREATE FUNCTION digit_runs(given text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT substr(run[1], start, 7)::integer
    FROM regexp_matches(given, '[0-9]{7,}', 'g') AS run, generate_series(1, length(run[1]) - 6) AS start);
--> statement-breakpoint
CREATE INDEX "contacts_digits" ON "contacts" USING gin (digit_runs(search_text)) WITH (fastupdate=false);