-- What the tables' generated columns and indexes are made of. They must be immutable, so unaccent's dictionary is named outright.
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
-- PostgreSQL 17 has no uuidv7(): the time in milliseconds, then in 4,096ths of one, the version, and chance.
DO $$ BEGIN
  IF to_regprocedure('pg_catalog.uuidv7()') IS NULL THEN
    CREATE FUNCTION public.uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $body$
      SELECT encode(
        substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3)
          || substring(int4send(28672 + floor(mod(extract(epoch FROM at) * 1000, 1) * 4096)::integer) FROM 3)
          || substring(uuid_send(gen_random_uuid()) FROM 9),
        'hex')::uuid
      FROM clock_timestamp() AS at
    $body$;
  END IF;
END $$;
--> statement-breakpoint
-- Case and accents folded away: 'Éloïse' and 'ELOISE' are the same, and so are 'Łukasz' and 'lukasz'.
CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(regexp_replace(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFKD)), '[\u0300-\u036f]', '', 'g') COLLATE pg_c_utf8);
--> statement-breakpoint
-- The LIKE pattern of "contains this term", folded like the text it is held against; what is special in a pattern stands for itself.
CREATE FUNCTION contains_pattern(term text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN '%' || regexp_replace(fold(term), '([\\%_])', '\\\1', 'g') || '%';
--> statement-breakpoint
CREATE FUNCTION contact_sort_name(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN fold(last_name || ' ' || first_name);
--> statement-breakpoint
CREATE FUNCTION lower_all(values_of text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(lower(value) ORDER BY place), '{}') FROM unnest(values_of) WITH ORDINALITY AS given(value, place));
--> statement-breakpoint
-- Further emails or phones as they are put behind the primary one, in the same line of the search text: each after a unit separator, which
-- nobody types, so that no term and no row of digits reaches from one into the next.
CREATE FUNCTION contact_search_others(others text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(chr(31) || translate(other, chr(10) || chr(31), '  '), '' ORDER BY place), '')
    FROM unnest(others) WITH ORDINALITY AS given(other, place)
  );
--> statement-breakpoint
-- First name, last name, emails, phones and the phones' digits, folded, a line each (a line feed in a value would shift the lines). Few have
-- several emails or phones: the others pay nothing for it, and their text is what it was.
CREATE FUNCTION contact_search_text(first_name text, last_name text, email text, phone text, other_emails text[], other_phones text[]) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN fold(translate(first_name, chr(10), ' ') || chr(10) || translate(last_name, chr(10), ' ')
    || chr(10) || translate(coalesce(email, ''), chr(10) || chr(31), '  ')
    || CASE WHEN other_emails = '{}' THEN '' ELSE contact_search_others(other_emails) END
    || chr(10) || translate(coalesce(phone, ''), chr(10) || chr(31), '  ')
    || CASE WHEN other_phones = '{}' THEN '' ELSE contact_search_others(other_phones) END
    || chr(10) || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g')
    || CASE WHEN other_phones = '{}' THEN '' ELSE regexp_replace(contact_search_others(other_phones), '[^0-9\u001f]', '', 'g') END);
--> statement-breakpoint
-- Who may be namesakes: the last name and the beginning of the first, folded, without what is written one way or the other.
CREATE FUNCTION contact_name_key(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(fold(last_name), '[\s''’.-]', '', 'g') || ' ' || left(regexp_replace(fold(first_name), '[\s''’.-]', '', 'g'), 3);
--> statement-breakpoint
-- The same answers as before in a third of the time: a statement within a function is set up anew for each call, and these are called for each
-- contact that is added or matched.
CREATE FUNCTION phone_e164(phone text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  whole text := regexp_replace(replace(lower(phone), '(0)', ''), '(ext|x|#|;).*$', '');
  digits text := regexp_replace(whole, '[^0-9]', '', 'g');
BEGIN
  RETURN CASE
    WHEN whole ~ '^\s*\+' AND length(digits) BETWEEN 8 AND 15 THEN '+' || digits
    WHEN digits ~ '^011[1-9]' AND length(digits) BETWEEN 11 AND 18 THEN '+' || substr(digits, 4)
    WHEN digits ~ '^00[1-9]' AND length(digits) BETWEEN 10 AND 17 THEN '+' || substr(digits, 3)
    WHEN digits ~ '^[2-9][0-9]{9}$' THEN '+1' || digits
    WHEN digits ~ '^1[2-9][0-9]{9}$' THEN '+' || digits
  END;
END $$;
--> statement-breakpoint
-- Those that are whole numbers, in E.164.
CREATE FUNCTION phones_e164(phones text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(phone_e164(phone)), '{}') FROM unnest(phones) AS phone WHERE phone_e164(phone) IS NOT NULL);
--> statement-breakpoint
-- Each character, each pair of neighbours, and each pair of digits of one number in order with anything between (negative). The index takes a
-- key that is there twice once.
CREATE FUNCTION contact_search_keys(search_text text) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  line_feed CONSTANT integer := 10;
  separator CONSTANT integer := 31;
  zero CONSTANT integer := 48;
  line_of_digits CONSTANT integer := 5;
  keys integer[] := '{}';
  line integer := 1;
  letter text;
  code integer;
  before integer := line_feed;
  digits integer[] := '{}';
  digit integer;
BEGIN
  FOREACH letter IN ARRAY string_to_array(search_text, NULL) LOOP
    code := ascii(letter);
    IF code = line_feed THEN
      line := line + 1;
    ELSIF code = separator THEN
      digits := '{}';
    ELSE
      keys := keys || code;
      IF before <> line_feed AND before <> separator THEN
        keys := keys || ((before << 16) # code);
      END IF;
      IF line = line_of_digits THEN
        code := code - zero;
        FOREACH digit IN ARRAY digits LOOP
          keys := keys || (-1 - (10 * digit + code));
        END LOOP;
        digits := digits || code;
        code := code + zero;
      END IF;
    END IF;
    before := code;
  END LOOP;
  RETURN keys;
END $$;
--> statement-breakpoint
-- What the dashboard counts is kept as contact_counts is: as changes that are only added, by the same triggers, and folded by the same job.
CREATE FUNCTION quarter_of_hour(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00Z')
$$;
--> statement-breakpoint
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
