import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const posTables = {
  sales_receipts: {
    owner: null,
    merge: { stays: 'It belongs to the QuickBooks customer, who moves' },
    deletion: { stays: 'Accounting keeps a sale, whatever happens to the patient' },
    retention: 'Forever, as the law requires',
    export: {
      where: ({ contactId }) => sql`mine.customer_id in (select customer_id from contact_customers where contact_id = ${contactId})`,
    },
  },
} satisfies Partial<PatientTables>
