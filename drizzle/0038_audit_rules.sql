-- Seals are only ever added, as what they hold.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Puts what is pending of the index by patient into its place; only the owner of an index may, and the application's role owns nothing.
CREATE FUNCTION audit_tidy() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT gin_clean_pending_list('public.audit_log_patients'::regclass)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION audit_tidy() FROM PUBLIC;
