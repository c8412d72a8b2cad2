import { sql } from 'drizzle-orm'
import type { PatientTables, Subject } from '../kernel/patient-tables/registry.ts'

const ofPatient = ({ ids }: Subject) => sql`mine.contact_id = any(${sql.param(ids)}::uuid[])`

export const portalTables = {
  portal_codes: {
    owner: null,
    merge: { stays: 'It opens nothing once the patient is gone' },
    deletion: { stays: 'It opens nothing once the patient is gone' },
    retention: 'A day',
    export: { where: ofPatient, row: sql`to_jsonb(mine) - 'id'` },
  },
  portal_sessions: {
    owner: null,
    merge: { stays: 'It ends with the patient' },
    deletion: { stays: 'It ends with the patient' },
    retention: 'A day after it ended',
    export: { where: ofPatient, row: sql`to_jsonb(mine) - 'id'` },
  },
  tablet_sessions: {
    owner: null,
    merge: { stays: 'It ends with the patient' },
    deletion: { stays: 'It ends with the patient' },
    retention: 'A day',
    export: { where: ofPatient, row: sql`to_jsonb(mine) - 'id' - 'code_hash' - 'token_hash'` },
  },
} satisfies Partial<PatientTables>
