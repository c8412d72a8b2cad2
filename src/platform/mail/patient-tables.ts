import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const mailTables = {
  suppressed_addresses: {
    owner: null,
    merge: { stays: 'It is about an address, not a patient' },
    deletion: { stays: 'An address that bounced or unsubscribed must not be written to, even if another patient has it' },
    retention: 'Until emails may be sent there again',
    export: { where: ({ addresses }) => sql`mine.address in (${addresses})`, order: 'since' },
  },
} satisfies Partial<PatientTables>
