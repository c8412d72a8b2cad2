import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const notificationTables = {
  notifications: {
    owner: { table: 'tasks', column: 'task_id' },
    deletion: 'cascade',
    export: { leftOut: 'What staff were notified of about a task that is in the record' },
  },
} satisfies Partial<PatientTables>
