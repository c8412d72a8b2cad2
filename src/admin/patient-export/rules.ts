/** What is kept of a patient, part by part, as record.json calls it and as people do. */
export const recordParts = {
  patient: 'Contact details',
  merged_patients: 'Patients who were merged into this one',
  tags: 'Tags',
  stages: 'Stages',
  timeline: 'Timeline',
  lead_forms: 'Lead forms',
  automations: 'Automations',
  tasks: 'Tasks',
  task_assignees: 'Who tasks are assigned to',
  appointments: 'Appointments',
  appointment_mails: 'Emails about appointments',
  appointment_requests: 'Requests for another time',
  surgeries: 'Surgeries',
  surgery_checklists: 'Checklists of surgeries',
  quotes: 'Quotes',
  account: 'Account',
  promises_and_holds: 'Promises and holds',
  customers: 'QuickBooks customers',
  receipts: 'Receipts',
  conversations: 'Conversations',
  messages: 'Messages',
  attachments: 'Attachments of messages',
  conversation_notes: 'Notes on conversations',
  linked_mails: 'Linked emails',
  documents: 'Documents',
  consents: 'Consents',
  blocked_addresses: 'Addresses that no email goes to',
  portal_codes: 'Codes for the portal',
  portal_visits: 'Visits to the portal',
  audit_log: 'Who saw and changed what',
} as const satisfies Record<string, string>
export type RecordPart = keyof typeof recordParts

/** Those that are counted before the file is made: what someone of the practice thinks of a patient in. */
export const countedParts = [
  'timeline',
  'tasks',
  'appointments',
  'surgeries',
  'quotes',
  'receipts',
  'account',
  'messages',
  'consents',
  'portal_visits',
] as const satisfies readonly RecordPart[]

/** Why a file of a patient's is named in their record, and not in it. */
export const withheldReasons = {
  pending: 'The virus scanner has not looked at it yet.',
  infected: 'The virus scanner has found something in it.',
  missing: 'It cannot be found where files are kept.',
  undrawn: 'It could not be drawn.',
} as const
export type Withheld = keyof typeof withheldReasons
