import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const mergeTables = {
  contact_merges: {
    owner: null,
    merge: { stays: 'Undo of the later merge restores its target first' },
    // Deleting a patient also deletes the patients merged into them: the snapshots of those merges, and of merges into their sources.
    deletion: {
      rows: (ids) => sql`
        with recursive merged as (
          select id as owner, id from unnest(${ids}) as id
          union
          select owner, source_id from contact_merges join merged on target_id = merged.id where undone_at is null
        )
        select owner, contact_merges.id from contact_merges join merged on target_id = merged.id`,
    },
    retention: '30 days, for undo',
    export: {
      where: ({ ids }) => sql`mine.target_id = any(${sql.param(ids)}::uuid[]) and mine.undone_at is null and mine.snapshot is not null`,
      row: sql`(mine.snapshot->'source') || jsonb_build_object('merged_at', mine.merged_at, 'merged_by', mine.merged_by)`,
      names: {
        funnel_stage: 'funnel_stages',
        lead_source: 'lead_sources',
        procedure_of_interest: 'procedures',
        assigned_sales_rep_id: 'profiles',
        assigned_provider_id: 'profiles',
      },
    },
  },
  contact_merge_rows: {
    owner: { table: 'contact_merges', column: 'merge_id' },
    deletion: 'with-owner',
    export: { leftOut: 'Only used to undo a merge; the rows themselves now belong to the patient' },
  },
} satisfies Partial<PatientTables>
