import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const contactTables = {
  contacts: {
    owner: null,
    merge: { stays: 'Merged field by field (fields.ts)' },
    deletion: { rows: (ids) => sql`select id as owner, id from unnest(${ids}) as id` },
    retention: 'Until deleted; inactive leads are deleted if the practice has turned that on',
    export: { where: ({ contactId }) => sql`mine.id = ${contactId}` },
  },
  contact_stage_history: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`(select name from funnel_stages where id = (${row}->>'to_stage')::uuid)` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: { cameWithForm: () => sql`child.from_stage is null` },
    importUndo: 'deletes-rows',
    export: {},
  },
  deleted_contact_rows: {
    owner: null,
    merge: { stays: 'A deleted patient cannot be merged, and is restored unchanged' },
    deletion: { stays: 'This is where deleted rows are kept' },
    retention: '24 hours, for undo',
    export: { leftOut: 'About deleted patients, whose record cannot be requested' },
  },
} satisfies Partial<PatientTables>
