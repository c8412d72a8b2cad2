import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const cardTables = {
  card_payments: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'description'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  card_refunds: {
    owner: { table: 'card_payments', column: 'payment_id' },
    deletion: 'with-owner',
    export: {},
  },
  card_disputes: {
    owner: { table: 'card_payments', column: 'payment_id' },
    deletion: 'with-owner',
    export: {},
  },
  card_customers: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'customer_id'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  saved_cards: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`(${row}->>'brand') || ' ' || (${row}->>'last4')` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { order: 'consented_at' },
  },
  automatic_payments: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: () => sql`'Automatic payments'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: { order: 'consented_at' },
  },
  instalment_charges: {
    owner: 'contact',
    merge: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'due_on'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
} satisfies Partial<PatientTables>
