import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const quickBooksTables = {
  contact_customers: {
    owner: 'contact',
    merge: {
      key: 'id',
      title: (row) =>
        sql`coalesce((select name from quickbooks_objects where kind = 'customer' and id = ${row}->>'customer_id'), ${row}->>'customer_id')`,
    },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {
      row: sql`to_jsonb(mine) || coalesce((select jsonb_build_object('name', name, 'email', email)
        from quickbooks_objects where kind = 'customer' and quickbooks_objects.id = mine.customer_id), '{}')`,
    },
  },
} satisfies Partial<PatientTables>
