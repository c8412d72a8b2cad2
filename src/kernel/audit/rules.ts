import { type Role, roles } from '../access/rules.ts'

export const auditActions = [
  'viewed',
  'created',
  'changed',
  'deleted',
  'restored',
  'merged',
  'unmerged',
  'exported',
  'printed',
  'denied',
  'signed-in',
  'signed-out',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Actions by which someone saw a patient's data. */
export const viewActions = ['viewed', 'exported', 'printed'] as const satisfies readonly AuditAction[]

/** Roles of actors: staff roles, and others. */
export const auditRoles = [...roles, 'system', 'visitor', 'patient', 'api_key'] as const

/** Kinds of entries, with their labels. */
export const auditKinds = {
  account: 'Account',
  'api-key': 'API key',
  appointment: 'Appointment',
  'appointment-request': 'Request for another time',
  'audit-log': 'Audit log',
  'automatic payment': 'Automatic payment',
  'bulk-change': 'Change of many patients',
  'calendar-feed': 'Calendar feed',
  campaign: 'Campaign',
  'card dispute': 'Disputed payment',
  'card payment': 'Card payment',
  'visit fee': 'Visit fee',
  'checklist template': 'Surgery checklist',
  'clinical note': 'Clinical note',
  'collection note': 'Collection note',
  consent: 'Consent',
  contact: 'Patient',
  conversation: 'Conversation',
  customer: 'QuickBooks customer',
  device: 'Device',
  document: 'Document',
  duplicate: 'Possible duplicate',
  'email-template': 'Email template',
  'quick reply': 'Quick reply',
  'health card': 'Health card',
  portrait: 'Portrait',
  'adverse event': 'Adverse event',
  'safety checklist': 'Surgical safety checklist',
  'prepaid balance': 'Gift card, package or credit',
  photo: 'Photo',
  'photo layer': 'Markup of a photo',
  'photo series': 'Series of photos',
  'photo consent': 'Consent to uses of photos',
  'photo use': 'Use of a photo',
  'photo link': 'Link to photos',
  'photo release': 'Photos in the portal',
  'photo alert': 'Unusual viewing of photos',
  form: 'Intake form',
  'form-template': 'Form template',
  'consent form': 'Consent form',
  'consent-template': 'Consent form template',
  invitation: 'Invitation',
  'funnel stage': 'Funnel stage',
  'health entry': 'Health summary entry',
  'health review': 'Review of the health summary',
  'health summary': 'Health summary',
  import: 'Import',
  interaction: 'Timeline',
  'lead-entry': 'Lead',
  'lead-source': 'Lead source',
  ledger: 'Account of a patient',
  'ledger entry': 'Entry in an account',
  'mailbox connection': 'Mailbox',
  'mailbox link': 'Linked email',
  'mailbox thread': 'Email',
  measurement: 'Measurement',
  merge: 'Merge',
  message: 'Message',
  'note template': 'Note template',
  notification: 'Notification',
  payout: 'Payout',
  'portal-session': 'Portal session',
  'practice hours': 'Opening hours',
  'staff hours': 'Hours and time off of staff',
  'subscribed calendar': 'Subscribed calendar',
  'visit type': 'Visit type',
  equipment: 'Equipment',
  'waiting list': 'Waiting list',
  'practice settings': 'Practice',
  procedure: 'Procedure',
  quote: 'Quote',
  'quickbooks connection': 'QuickBooks',
  recall: 'Recall of implants',
  sequence: 'Sequence',
  referral: 'Referral',
  'text link': 'Link in a text message',
  report: 'Report',
  retention: 'Retention',
  room: 'Room',
  location: 'Location',
  'saved card': 'Saved card',
  'sales receipt': 'Receipt',
  'signing key': 'Signing key',
  session: 'Sign-in',
  signature: 'Signature of emails',
  'saved-report': 'Saved report',
  'saved-view': 'Saved view',
  'stage-history': 'Stages',
  stock: 'Stock',
  'stock place': 'Place for stock',
  surgery: 'Surgery',
  'surgery device': 'Implant or device of a surgery',
  'surgery item': 'Checklist item',
  tablet: 'Tablet in the practice',
  tag: 'Tag',
  task: 'Task',
  version: 'Version of Refyne',
  webhook: 'Webhook',
  'whole-record': 'Whole record',
} as const satisfies Record<string, string>
export type AuditKind = keyof typeof auditKinds

/** Kinds that are printed from a page. PDFs are recorded when they are created. */
export const printedKinds = ['appointment', 'surgery', 'report', 'sales receipt'] as const satisfies readonly AuditKind[]

/** An entry of the audit log. `contactIds`: all patients concerned. The `kind` of a denial may be the refused call. */
export type AuditEntry = {
  actorId: string | null
  /** 'api_key': an API client, whose key is `actorId`. */
  actorRole: Role | 'system' | 'visitor' | 'patient' | 'api_key'
  action: AuditAction
  kind: string
  contactIds: string[]
  before?: unknown
  after?: unknown
  requestId: string
  address: string | null
}

/** A view of patients' data; printed if `action` says so. */
export type View = Pick<AuditEntry, 'contactIds'> & { kind: AuditKind; action?: 'printed' }

/** The fields that differ between `before` and `after`, for the audit entry of a change. */
export function difference<T extends Record<string, unknown>>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const changed = (Object.keys(after) as (keyof T)[]).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const pick = (from: T) => Object.fromEntries(changed.map((key) => [key, from[key]])) as Partial<T>
  return { before: pick(before), after: pick(after) }
}
