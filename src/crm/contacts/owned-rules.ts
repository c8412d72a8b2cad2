/** What a patient may have many of, one and several, as the preview of a merge counts them. */
export const childNames = {
  interactions: ['timeline entry', 'timeline entries'],
  contact_tags: ['tag', 'tags'],
  contact_stage_history: ['stage move', 'stage moves'],
  lead_entries: ['lead form', 'lead forms'],
  automation_state: ['automation', 'automations'],
  tasks: ['task', 'tasks'],
  appointments: ['appointment', 'appointments'],
  surgeries: ['surgery', 'surgeries'],
  quotes: ['quote', 'quotes'],
  documents: ['document', 'documents'],
  ledger_entries: ['ledger entry', 'ledger entries'],
  collection_notes: ['promise, hold or reminder', 'promises, holds and reminders'],
  conversations: ['conversation', 'conversations'],
  mailbox_links: ['linked email', 'linked emails'],
  consents: ['consent', 'consents'],
  contact_customers: ['QuickBooks customer', 'QuickBooks customers'],
} as const satisfies Record<string, readonly [one: string, many: string]>

export type ChildTable = keyof typeof childNames
export const childTables = Object.keys(childNames) as ChildTable[]

/** What belongs to an appointment and goes with it. */
export const appointmentTables = ['appointment_mails', 'appointment_links', 'appointment_requests'] as const
