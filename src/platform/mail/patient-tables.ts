import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const mailTables = {
  suppressed_addresses: {
    owner: null,
    merge: { stays: 'It is about an address, not a patient' },
    deletion: { stays: 'An address that bounced or unsubscribed must not be written to, even if another patient has it' },
    retention: 'Until emails may be sent there again',
    // Phone numbers that answered STOP as well.
    export: {
      where: ({ addresses, contactId }) => sql`(mine.address in (${addresses}) or mine.address in (
        select unnest(phones_e164(array_append(other_phones, phone))) from contacts where id = ${contactId}))`,
      order: 'since',
    },
  },
} satisfies Partial<PatientTables>
