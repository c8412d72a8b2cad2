-- The search for openings reads reservations from the index alone, which takes a fourth of the time, where a vacuum has marked their pages
-- as visible. At the default share of a fifth of the table that would be after years.
ALTER TABLE "time_holds" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
