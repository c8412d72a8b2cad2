import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'
import { sealPurpose } from './service.ts'

export const portraitTables = {
  portraits: {
    owner: 'contact',
    merge: { key: 'id', unique: 'contact_id', title: () => sql`'Portrait'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { sealed: { column: 'sealed_image', purpose: sealPurpose, as: 'image' } },
  },
} satisfies Partial<PatientTables>
