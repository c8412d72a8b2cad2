-- A phone number in E.164 ('+14165550101'), so that one number is one text however it was written. An extension is left off. Without a
-- country's code it is North American. Null when it cannot be a whole number.
CREATE FUNCTION phone_e164(phone text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
  SELECT CASE
    WHEN whole ~ '^\s*\+' AND length(digits) BETWEEN 8 AND 15 THEN '+' || digits
    WHEN digits ~ '^011[1-9]' AND length(digits) BETWEEN 11 AND 18 THEN '+' || substr(digits, 4)
    WHEN digits ~ '^00[1-9]' AND length(digits) BETWEEN 10 AND 17 THEN '+' || substr(digits, 3)
    WHEN digits ~ '^[2-9][0-9]{9}$' THEN '+1' || digits
    WHEN digits ~ '^1[2-9][0-9]{9}$' THEN '+' || digits
  END
  FROM (
    SELECT whole, regexp_replace(whole, '[^0-9]', '', 'g') AS digits
    FROM (SELECT regexp_replace(replace(lower(phone), '(0)', ''), '(ext|x|#|;).*$', '') AS whole) AS without_extension
  ) AS parts;
END;
