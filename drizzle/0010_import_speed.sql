-- The search index takes one row at a time, about a millisecond each (fastupdate is off: a pending list is read by each search). While an
-- import runs it takes the rows of a batch together, from a pending list that is emptied after each batch. Only the owner of the table may
-- switch that, so these run as the owner.
CREATE FUNCTION begin_contact_import() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT contact_search_is_quick() THEN
    PERFORM set_config('lock_timeout', '500ms', true);
    ALTER INDEX contacts_search SET (fastupdate = on);
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION contact_search_is_quick() RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce('fastupdate=on' = ANY (reloptions), false) FROM pg_class WHERE oid = to_regclass('contacts_search');
$$;
--> statement-breakpoint
CREATE FUNCTION settle_contact_search() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT gin_clean_pending_list('contacts_search');
$$;
--> statement-breakpoint
-- Waits for nobody for long: whoever asks tries again.
CREATE FUNCTION end_contact_import() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF contact_search_is_quick() THEN
    PERFORM set_config('lock_timeout', '500ms', true);
    ALTER INDEX contacts_search SET (fastupdate = off);
  END IF;
END $$;
