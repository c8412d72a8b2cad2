import type { InformationKind } from '../access/information.ts'

/** Display names of a table's rows. */
interface Names {
  /** For a table that refers to a patient by `contact_id`: singular and plural, for counts in the merge preview. */
  rows?: readonly [one: string, many: string]
  /** For a table in the patient export: its key in record.json, and its label. */
  part?: string
  label?: string
  /** Counted in the export dialog. */
  isCounted?: true
  /** Clinical information of this kind, whose rows are not even counted for those who may not see it. */
  information?: InformationKind
}

/**
 * Every table that holds a patient's data or refers to a patient, in display order. Each feature declares in its patient-tables.ts what
 * happens to the rows (see registry.ts). The names are here because the browser needs them too.
 */
export const patientTableNames = {
  contacts: { part: 'patient', label: 'Contact details' },
  contact_merges: { part: 'merged_patients', label: 'Patients who were merged into this one' },
  contact_merge_rows: {},
  health_cards: { rows: ['health card', 'health cards'], part: 'health_cards', label: 'Health card' },
  portraits: { rows: ['portrait', 'portraits'], part: 'portrait', label: 'Portrait', information: 'portrait' },
  referrals: { rows: ['referral', 'referrals'], part: 'referrals', label: 'Referrals' },
  interactions: { rows: ['timeline entry', 'timeline entries'], part: 'timeline', label: 'Timeline', isCounted: true },
  contact_tags: { rows: ['tag', 'tags'], part: 'tags', label: 'Tags' },
  contact_stage_history: { rows: ['stage move', 'stage moves'], part: 'stages', label: 'Stages' },
  lead_entries: { rows: ['lead form', 'lead forms'], part: 'lead_forms', label: 'Lead forms' },
  automation_state: { rows: ['sequence', 'sequences'], part: 'automations', label: 'Sequences and other automations' },
  sequence_steps: { part: 'sequence_steps', label: 'What sequences did' },
  tasks: { rows: ['task', 'tasks'], part: 'tasks', label: 'Tasks', isCounted: true },
  task_assignees: { part: 'task_assignees', label: 'Who tasks are assigned to' },
  notifications: {},
  clinical_notes: {
    rows: ['clinical note', 'clinical notes'],
    part: 'clinical_notes',
    label: 'Clinical notes',
    isCounted: true,
    information: 'clinicalNote',
  },
  note_addenda: { part: 'note_addenda', label: 'Addenda to clinical notes' },
  note_revisions: {},
  health_entries: {
    rows: ['health summary entry', 'health summary entries'],
    part: 'health_summary',
    label: 'Health summary',
    isCounted: true,
    information: 'healthSummary',
  },
  health_reviews: {
    rows: ['review of the health summary', 'reviews of the health summary'],
    part: 'health_reviews',
    label: 'Reviews of the health summary',
    information: 'healthSummary',
  },
  measurements: {
    rows: ['measurement', 'measurements'],
    part: 'measurements',
    label: 'Vitals and measurements',
    information: 'healthSummary',
  },
  forms: { rows: ['intake form', 'intake forms'], part: 'forms', label: 'Intake forms', isCounted: true, information: 'formStatus' },
  form_reviews: { part: 'form_reviews', label: 'Reviews of intake forms' },
  form_decisions: { part: 'form_decisions', label: 'Decisions about answers in intake forms' },
  consent_forms: {
    rows: ['consent form', 'consent forms'],
    part: 'consent_forms',
    label: 'Consent forms',
    isCounted: true,
    information: 'consentStatus',
  },
  consent_events: { part: 'consent_form_steps', label: 'Steps of consent forms' },
  consent_files: { part: 'consent_form_files', label: 'Sealed consent forms' },
  appointments: { rows: ['appointment', 'appointments'], part: 'appointments', label: 'Appointments', isCounted: true },
  appointment_mails: { part: 'appointment_mails', label: 'Emails about appointments' },
  appointment_links: {},
  appointment_requests: { part: 'appointment_requests', label: 'Requests for another time' },
  waiting_list_entries: { rows: ['entry of the waiting list', 'entries of the waiting list'], part: 'waiting_list', label: 'Waiting list' },
  waiting_offers: { part: 'waiting_list_offers', label: 'Times offered from the waiting list' },
  surgeries: { rows: ['surgery', 'surgeries'], part: 'surgeries', label: 'Surgeries', isCounted: true },
  surgery_items: { part: 'surgery_checklists', label: 'Checklists of surgeries' },
  surgery_devices: { part: 'implants_and_devices', label: 'Implants and devices of surgeries' },
  recall_patients: { rows: ['recall', 'recalls'], part: 'recalls', label: 'Recalls of implants', information: 'implant' },
  recall_attempts: { part: 'recall_attempts', label: 'Attempts to reach the patient about a recall' },
  safety_answers: { part: 'safety_answers', label: 'Answers of safety checklists' },
  safety_phases: { part: 'safety_phases', label: 'Safety checklists of surgeries' },
  adverse_events: {
    rows: ['adverse event', 'adverse events'],
    part: 'adverse_events',
    label: 'Adverse events',
    isCounted: true,
    information: 'adverseEvent',
  },
  check_ins: { part: 'check_ins', label: 'Check-ins after surgeries' },
  time_holds: {},
  quotes: { rows: ['quote', 'quotes'], part: 'quotes', label: 'Quotes', isCounted: true },
  photo_series: {
    rows: ['series of photos', 'series of photos'],
    part: 'photo_series',
    label: 'Series of photos',
    information: 'photo',
  },
  photos: { rows: ['photo', 'photos'], part: 'photos', label: 'Photos', isCounted: true, information: 'photo' },
  photo_files: {},
  photo_consents: {
    rows: ['consent to uses of photos', 'consents to uses of photos'],
    part: 'photo_consents',
    label: 'Consents to uses of photos',
    information: 'photo',
  },
  photo_links: { rows: ['link to photos', 'links to photos'], part: 'photo_links', label: 'Links to photos', information: 'photo' },
  photo_uses: { part: 'photo_uses', label: 'Uses of photos' },
  photo_releases: { part: 'photo_releases', label: 'Photos released to the portal', information: 'photo' },
  photo_layers: { part: 'photo_layers', label: 'Markup of photos', information: 'photo' },
  documents: { rows: ['document', 'documents'], part: 'documents', label: 'Documents' },
  sales_receipts: { part: 'receipts', label: 'Receipts', isCounted: true },
  prepaid_accounts: { part: 'prepaid', label: 'Gift cards, packages and credit' },
  prepaid_entries: { part: 'prepaid_entries', label: 'Use of gift cards, packages and credit' },
  card_payments: { rows: ['card payment', 'card payments'], part: 'card_payments', label: 'Card payments' },
  card_refunds: { part: 'card_refunds', label: 'Refunds to cards' },
  card_disputes: { part: 'card_disputes', label: 'Disputed card payments' },
  card_customers: { rows: ['Stripe customer', 'Stripe customers'], part: 'stripe_customers', label: 'Stripe customers' },
  saved_cards: { rows: ['saved card', 'saved cards'], part: 'saved_cards', label: 'Saved cards' },
  quote_financings: { part: 'financing', label: 'Financing of quotes' },
  automatic_payments: {
    rows: ['consent to automatic payments', 'consents to automatic payments'],
    part: 'automatic_payments',
    label: 'Automatic payments',
  },
  instalment_charges: { rows: ['automatic charge', 'automatic charges'], part: 'automatic_charges', label: 'Automatic charges' },
  visit_terms: { rows: ['accepted terms of a visit', 'accepted terms of visits'], part: 'visit_terms', label: 'Accepted terms of visits' },
  visit_fees: { part: 'visit_fees', label: 'Fees for missed and late-cancelled visits' },
  ledger_entries: { rows: ['ledger entry', 'ledger entries'], part: 'account', label: 'Account', isCounted: true },
  collection_notes: {
    rows: ['promise, hold or reminder', 'promises, holds and reminders'],
    part: 'promises_and_holds',
    label: 'Promises and holds',
  },
  conversations: { rows: ['conversation', 'conversations'], part: 'conversations', label: 'Conversations' },
  scheduled_messages: { rows: ['scheduled message', 'scheduled messages'], part: 'scheduled_messages', label: 'Scheduled messages' },
  messages: { part: 'messages', label: 'Messages', isCounted: true },
  message_attachments: { part: 'attachments', label: 'Attachments of messages' },
  text_links: {},
  conversation_notes: { part: 'conversation_notes', label: 'Notes on conversations' },
  campaign_recipients: { rows: ['campaign', 'campaigns'], part: 'campaigns', label: 'Campaigns' },
  mailbox_links: { rows: ['linked email', 'linked emails'], part: 'linked_mails', label: 'Linked emails' },
  consents: { rows: ['consent', 'consents'], part: 'consents', label: 'Consents', isCounted: true },
  contact_customers: { rows: ['QuickBooks customer', 'QuickBooks customers'], part: 'customers', label: 'QuickBooks customers' },
  suppressed_addresses: { part: 'blocked_addresses', label: 'Addresses and phone numbers that nothing is sent to' },
  portal_codes: { part: 'portal_codes', label: 'Codes for the portal' },
  portal_sessions: { part: 'portal_visits', label: 'Visits to the portal', isCounted: true },
  tablet_sessions: { part: 'tablet_sessions', label: 'Tablets given in the practice' },
  audit_log: { part: 'audit_log', label: 'Who saw and changed what' },
  bulk_change_items: {},
  deleted_contact_rows: {},
  duplicate_checks: {},
  duplicate_pairs: {},
  import_findings: {},
  import_outcomes: {},
} as const satisfies Record<string, Names>

type All = typeof patientTableNames
export type PatientTable = keyof All
type Having<Some> = { [Table in PatientTable]: All[Table] extends Some ? Table : never }[PatientTable]

/** The tables that refer to a patient by `contact_id`. */
export type ContactTable = Having<{ rows: readonly [string, string] }>
/** The tables that are in the export of a patient's record. */
export type ExportedTable = Having<{ part: string }>
export type RecordPart = All[ExportedTable]['part']
export type CountedPart = All[Having<{ isCounted: true }>]['part']

export const allPatientTables = Object.keys(patientTableNames) as PatientTable[]
const namesOf = (table: PatientTable): Names => patientTableNames[table]

export const allContactTables = allPatientTables.filter((table): table is ContactTable => namesOf(table).rows !== undefined)
export const exportedTables = allPatientTables.filter((table): table is ExportedTable => namesOf(table).part !== undefined)
/** The parts of a record with their labels. */
export const recordParts = Object.fromEntries(
  exportedTables.map((table) => [patientTableNames[table].part, patientTableNames[table].label]),
) as Record<RecordPart, string>
/** The parts that are counted before the export. */
export const countedParts = exportedTables
  .filter((table) => namesOf(table).isCounted)
  .map((table) => patientTableNames[table].part as CountedPart)

/** The clinical information that the rows of a table are; null if they are none. */
export const informationOf = (table: PatientTable): InformationKind | null => namesOf(table).information ?? null
