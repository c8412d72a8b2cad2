import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const prepaidTables = {
  prepaid_accounts: {
    owner: null,
    merge: { stays: 'It belongs to the QuickBooks customer, who moves' },
    deletion: { stays: 'The practice owes it, whatever happens to the patient; a gift card may be someone else’s' },
    retention: 'Forever, as the law requires',
    export: {
      where: ({ contactId }) => sql`mine.customer_id in (select customer_id from contact_customers where contact_id = ${contactId})`,
    },
  },
  prepaid_entries: {
    owner: null,
    merge: { stays: 'It belongs to the QuickBooks customer, who moves' },
    deletion: { stays: 'The practice owes it, whatever happens to the patient; a gift card may be someone else’s' },
    retention: 'Forever, as the law requires',
    export: {
      where: ({ contactId }) =>
        sql`mine.account_id in (select id from prepaid_accounts where customer_id in (select customer_id from contact_customers where contact_id = ${contactId}))`,
    },
  },
} satisfies Partial<PatientTables>
