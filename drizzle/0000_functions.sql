-- What the tables' generated columns and indexes are made of. They must be immutable, so unaccent's dictionary is named outright.
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
-- Case and accents folded away: 'Éloïse' and 'ELOISE' are the same, and so are 'Łukasz' and 'lukasz'.
CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFKD)), '[\u0300-\u036f]', '', 'g') COLLATE pg_c_utf8);
--> statement-breakpoint
-- First name, last name, e-mail, phone and the phone's digits, folded, a line each (a line feed in a value would shift the lines).
CREATE FUNCTION contact_search_text(first_name text, last_name text, email text, phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN fold(translate(first_name, chr(10), ' ') || chr(10) || translate(last_name, chr(10), ' ') || chr(10)
    || translate(coalesce(email, ''), chr(10), ' ') || chr(10) || translate(coalesce(phone, ''), chr(10), ' ') || chr(10)
    || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'));
--> statement-breakpoint
-- The LIKE pattern of "contains this term", folded like the text it is held against; what is special in a pattern stands for itself.
CREATE FUNCTION contains_pattern(term text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN '%' || regexp_replace(fold(term), '([\\%_])', '\\\1', 'g') || '%';
--> statement-breakpoint
CREATE FUNCTION contact_sort_name(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN fold(last_name || ' ' || first_name);
--> statement-breakpoint
-- What trigrams cannot find: each character, each pair of neighbours, and each pair of phone digits in order with anything between
-- (negative). A key only narrows the search down; the text itself decides.
CREATE FUNCTION contact_search_keys(search_text text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT coalesce(array_agg(DISTINCT key), '{}') FROM (
    SELECT ascii(c) AS key FROM unnest(string_to_array(search_text, NULL)) AS chars(c) WHERE c <> chr(10)
    UNION ALL
    SELECT (ascii(c) << 16) # ascii(next)
    FROM (SELECT c, lead(c) OVER (ORDER BY place) AS next FROM unnest(string_to_array(search_text, NULL)) WITH ORDINALITY AS chars(c, place)) AS neighbours
    WHERE c <> chr(10) AND next <> chr(10)
    UNION ALL
    SELECT -1 - (10 * a.digit::integer + b.digit::integer)
    FROM unnest(string_to_array(split_part(search_text, chr(10), 5), NULL)) WITH ORDINALITY AS a(digit, place)
    JOIN unnest(string_to_array(split_part(search_text, chr(10), 5), NULL)) WITH ORDINALITY AS b(digit, place)
      ON a.place < b.place
  ) AS keys;
END;
