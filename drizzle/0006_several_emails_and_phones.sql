ALTER TABLE "contacts" ADD COLUMN "other_emails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "other_phones" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE FUNCTION lower_all(values_of text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(lower(value) ORDER BY place), '{}') FROM unnest(values_of) WITH ORDINALITY AS given(value, place));
--> statement-breakpoint
-- Those that are whole numbers, in E.164.
CREATE FUNCTION phones_e164(phones text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(phone_e164(phone)), '{}') FROM unnest(phones) AS phone WHERE phone_e164(phone) IS NOT NULL);
--> statement-breakpoint
-- Further e-mails or phones as they are put behind the primary one, in the same line of the search text: each after a unit separator, which
-- nobody types, so that no term and no row of digits reaches from one into the next.
CREATE FUNCTION contact_search_others(others text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(chr(31) || translate(other, chr(10) || chr(31), '  '), '' ORDER BY place), '')
    FROM unnest(others) WITH ORDINALITY AS given(other, place)
  );
--> statement-breakpoint
-- First name, last name, e-mails, phones and the phones' digits, folded, a line each (a line feed in a value would shift the lines). Few have
-- several e-mails or phones: the others pay nothing for it, and their text is what it was.
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
-- As before, and the pairs of phone digits are those within one number.
CREATE OR REPLACE FUNCTION contact_search_keys(search_text text) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT coalesce(array_agg(DISTINCT key), '{}') FROM (
    SELECT ascii(c) AS key FROM unnest(string_to_array(search_text, NULL)) AS chars(c) WHERE c NOT IN (chr(10), chr(31))
    UNION ALL
    SELECT (ascii(c) << 16) # ascii(next)
    FROM (SELECT c, lead(c) OVER (ORDER BY place) AS next FROM unnest(string_to_array(search_text, NULL)) WITH ORDINALITY AS chars(c, place)) AS neighbours
    WHERE c NOT IN (chr(10), chr(31)) AND next NOT IN (chr(10), chr(31))
    UNION ALL
    SELECT -1 - (10 * a.digit::integer + b.digit::integer)
    FROM unnest(string_to_array(split_part(search_text, chr(10), 5), chr(31))) AS numbers(digits)
    CROSS JOIN LATERAL unnest(string_to_array(digits, NULL)) WITH ORDINALITY AS a(digit, place)
    JOIN LATERAL unnest(string_to_array(digits, NULL)) WITH ORDINALITY AS b(digit, place) ON a.place < b.place
  ) AS keys;
END;
--> statement-breakpoint
ALTER TABLE "contacts" ALTER COLUMN "search_text" SET EXPRESSION AS (contact_search_text(first_name, last_name, email, phone, other_emails, other_phones));--> statement-breakpoint
DROP FUNCTION contact_search_text(text, text, text, text);--> statement-breakpoint
CREATE INDEX "contacts_other_emails" ON "contacts" USING gin (lower_all("other_emails")) WHERE "contacts"."other_emails" <> '{}';--> statement-breakpoint
CREATE INDEX "contacts_other_phones" ON "contacts" USING gin (phones_e164("other_phones")) WHERE "contacts"."other_phones" <> '{}';
