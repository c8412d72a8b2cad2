import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const taskTables = {
  tasks: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'title'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  task_assignees: {
    owner: { table: 'tasks', column: 'task_id' },
    deletion: 'with-owner',
    export: { order: 'position' },
  },
} satisfies Partial<PatientTables>
