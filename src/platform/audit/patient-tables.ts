import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const auditTables = {
  audit_log: {
    owner: null,
    merge: { stays: 'The log says what happened to whom at that time' },
    deletion: { stays: 'The log outlives what it is about' },
    retention: 'Forever; the database refuses to delete an entry',
    export: {
      where: ({ ids }) => sql`mine.contact_ids && ${sql.param(ids)}::uuid[]`,
      // An entry about several patients is in none of their exported records.
      row: sql`jsonb_build_object('at', mine.at, 'by', mine.actor_id, 'role', mine.actor_role, 'action', mine.action, 'kind', mine.kind)
        || case when cardinality(mine.contact_ids) = 1 then jsonb_build_object('before', mine.before, 'after', mine.after) else '{}' end`,
      names: { by: 'profiles' },
    },
  },
} satisfies Partial<PatientTables>
