import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'
import { timePoints, views } from './rules.ts'

const kept = {
  owner: 'contact',
  deletion: 'with-patient',
  restore: 'unchanged',
  retention: 'keeps-lead',
  importUndo: 'keeps-patient',
  clinicalRecord: sql`true`,
} as const

/** A name in the words of the screens. */
const named = (names: Record<string, string>, column: string) => (row: ReturnType<typeof sql>) =>
  sql`${JSON.stringify(names)}::jsonb->>(${row}->>${column}::text)`

export const photoTables = {
  photo_series: {
    ...kept,
    merge: { key: 'id', title: named(timePoints, 'time_point') },
    export: { names: { procedure_id: 'procedures' } },
  },
  photos: {
    ...kept,
    merge: { key: 'id', title: named(views, 'view') },
    // A deleted photo may show someone else.
    export: { where: ({ contactId }) => sql`mine.contact_id = ${contactId} and mine.deleted_at is null` },
  },
  photo_files: {
    owner: { table: 'photos', column: 'photo_id' },
    deletion: 'with-owner',
    export: { leftOut: 'Where the bytes lie; the originals are in the folder photos' },
  },
  photo_layers: {
    owner: { table: 'photos', column: 'photo_id' },
    deletion: 'with-owner',
    export: {
      where: ({ contactId }) => sql`mine.photo_id in (select id from photos where contact_id = ${contactId} and deleted_at is null)`,
    },
  },
} satisfies Partial<PatientTables>
