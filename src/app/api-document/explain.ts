import { labelOf } from '../../shared/validation-messages.ts'
import type { Parameter, Schema } from './types.ts'

type Note = { description: string; example?: unknown }

const id = '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21'

/** What parameters and fields mean, where their name does not say it, and an example, where their schema gives none. */
const notes: Record<string, Note> = {
  action: { description: 'What was done' },
  age: { description: 'How long the oldest part has been due' },
  all: { description: 'true: cancelled ones and no-shows, too' },
  allowDuplicateEmail: { description: 'true: create the patient although another one has this email' },
  andFollowing: { description: 'true: also cancel the visits of its series that follow' },
  amountCents: { description: 'In cents', example: 50_000 },
  answers: { description: 'The email that this one answers' },
  ask: { description: 'The report with its period and filters' },
  before: { description: 'The id of the one to place it in front of; null for the end' },
  attestationObject: { description: 'The new passkey as the browser gives it, in base64url', example: 'bzJObWJYUg' },
  authenticatorData: { description: 'What the passkey’s device states, in base64url', example: 'SZYN5YgO' },
  body: { description: 'The text, with variables in double braces', example: 'Dear {{first_name}}, …' },
  breakdown: { description: 'A breakdown of the report, whose row is wanted', example: 'source' },
  by: { description: 'Which kind of reason the pairs have' },
  category: { description: 'A category of templates' },
  change: { description: 'What is changed in each' },
  changes: { description: 'A change for each of them' },
  classId: { description: 'A class of QuickBooks, by its id', example: '5000000000000135487' },
  clientDataJSON: { description: 'What the browser states, in base64url', example: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0' },
  code: { description: 'The code that was shown or sent', example: '123456' },
  columns: { description: 'What each column of the table holds' },
  companyDomains: { description: 'The practice’s own email domains', example: ['clinic.example'] },
  cursor: { description: 'The nextCursor of the page before; none for the first page', example: 'eyJhdCI6IjIwMjYtMTEtMjdUMTA6MDA6MDBaIn0' },
  date: { description: 'When it took place', example: '2026-11-27T10:00:00Z' },
  dateOfBirth: { description: 'YYYY-MM-DD', example: '1988-04-12' },
  days: { description: 'How many days' },
  decisions: { description: 'For each change since the merge: keep it, or restore what was before' },
  depositAccount: { description: 'The account of QuickBooks that receives the money, by its id', example: '35' },
  due: { description: 'A tab of the list' },
  draft: {
    description: 'When it starts for a patient, its steps and what ends it',
    example: {
      trigger: { kind: 'lead', sourceIds: [] },
      filter: '',
      steps: [
        { id: 'hello1', kind: 'text', templateId: '0192f3c1-7a5e-7c3b-9d2e-4f1a6b8c0d21' },
        { id: 'wait01', kind: 'wait', amount: 1, unit: 'days', working: true, at: null },
      ],
      exits: { reply: 'leave', booking: true, surgery: true, stage: false },
      hours: { from: '08:00', to: '20:00' },
      again: null,
      holdOut: 10,
      alertDays: 3,
    },
  },
  dueDate: { description: 'YYYY-MM-DD, in the practice’s time zone', example: '2026-12-01' },
  dueOn: { description: 'YYYY-MM-DD', example: '2026-12-01' },
  dueTimeConstraint: { description: 'HH:MM in the practice’s time zone; null for none', example: '14:30' },
  email: { description: 'An email address', example: 'chloe@example.ca' },
  except: { description: 'The id of an appointment that is to be moved: its own time counts as free' },
  fieldMap: { description: 'The name of the form’s field for each of ours', example: { email: 'your-email' } },
  filter: { description: 'Conditions in the language of docs/decisions/contact-filters.md', example: 'owner:me stage:lead' },
  firstId: { description: 'The id of one patient of the pair' },
  firstName: { description: 'The first name', example: 'Chloé' },
  folder: { description: 'A folder of the mailbox, by its id', example: 'INBOX' },
  from: { description: 'The first day or instant that counts', example: '2026-11-01' },
  grantId: { description: 'The connection of the mailbox', example: id },
  id: { description: 'The id of the record', example: id },
  idempotencyKey: { description: 'A new UUID for each attempt that is meant: the same one is carried out once', example: id },
  ids: { description: 'Ids separated by commas', example: id },
  into: { description: 'The id of the one that stays' },
  isBefore: { description: 'true: of the period before' },
  isOn: { description: 'Whether it is in use' },
  isShared: { description: 'Whether others see it: the staff, or for a document the patient' },
  kind: { description: 'Which kind' },
  lastName: { description: 'The last name', example: 'Desjardins' },
  limit: { description: 'How many rows a page has at most' },
  lines: { description: 'The lines, in their order' },
  location: { description: 'A location, by its id' },
  measure: { description: 'A figure of the report, whose records are wanted', example: 'leads' },
  metadata: { description: 'Values of your own, as an object', example: { crmId: '8821' } },
  method: { description: 'A payment method', example: 'Visa' },
  opens: { description: 'HH:MM', example: '08:30' },
  closes: { description: 'HH:MM', example: '16:30' },
  time: { description: 'HH:MM in the practice’s time zone', example: '08:00' },
  rawId: { description: 'The passkey’s id, in base64url', example: 'AdKXJEch1aV5Wo7b' },
  realmId: { description: 'The company in QuickBooks', example: '9341453000000000' },
  minutes: { description: 'How long, in minutes', example: 45 },
  missing: { description: 'true: only those with open required items' },
  name: { description: 'The name', example: 'Follow-up' },
  notifiesPatient: { description: 'Whether the patient is emailed about it' },
  image: { description: 'A picture in base64', example: 'iVBORw0KGgo=' },
  number: { description: 'The number of the health card, with or without spaces', example: '9876 543 217' },
  onMatch: { description: 'What happens to rows of patients who exist' },
  order: { description: 'How cards are sorted' },
  otp: { description: 'The code that was emailed', example: '123456' },
  outsideHours: { description: 'true: book although it is outside working hours, or beyond the daily maximum of the visit type' },
  page: { description: 'Which page, from 1' },
  password: { description: 'The password', example: 'correct-horse-battery' },
  period: { description: 'The time that the report covers' },
  phone: { description: 'A phone number, in any notation', example: '(613) 555-0187' },
  procedure: { description: 'A procedure, by its id' },
  province: { description: 'The province or territory that issued the card', example: 'ON' },
  query: { description: 'Part of a name or an email', example: 'Desjardins' },
  reason: { description: 'Why', example: 'Asked for another date' },
  readerId: { description: 'A card reader, by its id', example: 'tmr_FDOt2wlRZEdpd7' },
  recent: { description: 'Ids of patients who were opened last, separated by commas', example: id },
  replay: { description: 'Milliseconds: changes since then are sent first', example: 5_000 },
  report: { description: 'Which report' },
  row: { description: 'The row of the breakdown, by its key', example: 'Website Form' },
  scopes: { description: 'What the key may do', example: ['contacts:read'] },
  search: { description: 'Part of a name, an email or a phone number', example: 'desjardins' },
  secondId: { description: 'The id of the other patient of the pair' },
  selection: { description: 'Which patients: ids, or the query of a list' },
  sessionToken: { description: 'The session that the portal’s code opened', example: 'q1w2e3r4t5' },
  signature: { description: 'The signature of the passkey, in base64url', example: 'MEUCIQDx' },
  show: { description: 'Which rows of the list' },
  sort: { description: 'How rows are sorted' },
  source: { description: 'A source of leads, by its name', example: 'Website Form' },
  stage: { description: 'A stage of the funnel, by its id or value', example: 'lead' },
  starts: { description: 'The start of each visit in ISO 8601, in order', example: ['2026-12-01T14:30:00Z', '2026-12-22T14:30:00Z'] },
  startsAt: { description: 'An instant in ISO 8601', example: '2026-12-01T14:30:00Z' },
  state: { description: 'A state of the record, or a province' },
  status: { description: 'A status of the record' },
  subject: { description: 'The subject line', example: 'Your consultation' },
  system: { description: 'Which system' },
  thankYouUrl: { description: 'Where a browser form leads to', example: 'https://clinic.example/thanks' },
  text: { description: 'Plain text', example: 'We look forward to seeing you.' },
  timeZone: { description: 'A time zone, as IANA names it', example: 'America/Toronto' },
  to: { description: 'The last day, or the instant before which it ends', example: '2026-11-30' },
  token: { description: 'The secret of the link in the email', example: 'd9Xk2v' },
  type: { description: 'Which type' },
  udiDi: { description: 'The UDI-DI: a GTIN of 14 digits', example: '00312345678906' },
  unread: { description: 'true: only unread ones' },
  url: { description: 'An https address', example: 'https://hooks.example.com/refyne' },
  user: { description: 'A member of staff, by id', example: id },
  version: { description: 'The version of the record that was read; 409 CONFLICT if it has changed since', example: 3 },
  versionCode: { description: 'One or two letters on an Ontario card', example: 'AB' },
  webhookKey: { description: 'The key of the source (Settings, Lead sources)', example: 'whk_3f9c' },
  weekday: { description: '1 is Monday, 7 is Sunday', example: 1 },
}

/** What the parts of the API are about. */
export const tagNotes: Readonly<Record<string, string>> = {
  'API keys': 'Keys with which other programs call the API.',
  Availability: 'What can be booked, and when staff work and are off.',
  Backups: 'The state of the backups, and the last drills.',
  Appointments: 'Consultations and other visits, and their emails.',
  'Links in text messages': 'What a patient may do with a short link in a text message.',
  'Appointment links': 'What a patient may do with the link in an email.',
  'Self-booking': 'The page where patients book visits themselves. A booking is known by a key that the page makes.',
  'Visit fees': 'Deposits and fees of visits that patients booked themselves, under the terms that they accepted.',
  'Audit log': 'Who saw or changed which patient’s data.',
  'Bulk changes': 'One change to many patients, with progress and undo.',
  'Calendar feeds': 'A provider’s appointments for calendar programs.',
  'Clinical notes': 'Notes of providers from templates: drafts, which are then signed and sealed, and their addenda.',
  Chart: 'The clinical record of a patient.',
  'Payment links': 'What a patient pays by card. The token of the link is the only credential.',
  'Gift cards, packages and credit': 'What patients have paid for and use later, and credit that the practice has given them.',
  Payouts: 'What Stripe paid out to the practice’s bank account, compared with its records and posted to QuickBooks.',
  Disputes: 'Card payments that cardholders dispute with their bank, and the evidence submitted to it.',
  Collections: 'Charges, payment plans, deposits and outstanding balances.',
  Connections: 'Tests of the systems that the practice has connected.',
  'Consent forms': 'What patients are asked to agree to before a procedure, and what they signed, declined and withdrew.',
  Consent: 'The ledger of consent to commercial email.',
  Contacts: 'Patients and leads: one record per person.',
  Dashboard: 'The figures of the first page.',
  Documents: 'Files of patients.',
  Duplicates: 'Pairs of records that may be one patient.',
  'Email templates': 'Texts with variables.',
  Events: 'Live updates as server-sent events.',
  Forms: 'Intake forms: what the practice asks, and what patients answered.',
  'Getting in': 'Signing in and up, passwords and invitations.',
  Campaigns: 'One email to many patients, and its results.',
  Referrals: 'Who referred whom.',
  'Health cards': 'The number of a patient’s health card, sealed.',
  'Subscribed calendars': 'Calendars elsewhere whose events block openings.',
  'Waiting list': 'Patients who wait for a visit, and the times that are offered to them.',
  'Waiting list offers': 'An offered time, as the patient sees it. The token of the link is the only credential.',
  'Adverse events': 'The register of adverse events, with the deadlines of those that have to be reported.',
  'Check-ins': 'Forms that patients are sent on certain days after a surgery.',
  'Use of photos': 'Where photos are used outside the chart, by which consents, and the galleries.',
  Photos: 'Series of standard views before and after a procedure, encrypted one by one.',
  Devices: 'The catalogue of implants, injectables and materials, and their stock by lot and serial number.',
  Implants: 'Devices that were opened, placed, wasted, returned and taken out in surgeries.',
  Recalls: 'Recalls of implants by maker, model, lots and serial numbers: who has them, and every attempt to reach them.',
  Portraits: 'A patient’s portrait, sealed.',
  Imports: 'Tables of patients, tasks, interactions and documents.',
  Inbox: 'Conversations with patients that the staff shares.',
  Interactions: 'Calls, notes and meetings on a patient’s timeline.',
  Leads: 'What web forms sent, until it is a patient.',
  'Lead sources': 'Where leads come from, and the keys of their forms.',
  Mailbox: 'Each person’s own mailbox at their provider.',
  Notifications: 'Reminders and their settings.',
  'Own account': 'Name, signatures, sessions and second factor of the caller.',
  'Patient portal': 'What a patient sees, with the session of a one-time code.',
  People: 'Staff, their roles and invitations.',
  Pipeline: 'The stages of the funnel.',
  'Point of sale': 'Receipts and refunds, recorded in QuickBooks.',
  Practice: 'Settings, locations, rooms and opening hours.',
  Procedures: 'What the practice offers, with price lists.',
  QuickBooks: 'The connection to QuickBooks Online.',
  Quotes: 'Offers to patients, which they accept in the portal.',
  Reports: 'Reports, saved and scheduled ones.',
  'Sealed PDFs': 'Keys that seal PDFs, and the verification of a sealed one.',
  Retention: 'Rules that delete what is no longer needed.',
  'Saved views': 'Lists with a name.',
  Surgeries: 'Surgical cases and their checklists.',
  System: 'How the server is doing.',
  'Tablet in the practice': 'Gives a patient a tablet for a few forms. The session is limited to them and ends by itself.',
  Sequences: 'Messages and tasks that follow an event of a patient by rule.',
  Tags: 'Labels of patients.',
  Tasks: 'Tasks of the staff.',
  Webhooks: 'Messages to other systems about changes.',
}

/** What a field means: its own description, a note above, or nothing that its name does not say. */
function describe(name: string, schema: Schema): string | undefined {
  const note = Object.hasOwn(notes, name) ? notes[name] : undefined
  return schema.description ?? note?.description ?? (name.endsWith('Cents') ? 'In cents' : undefined)
}

/** The same for a parameter: at least the thing that it names. */
const describeParameter = (name: string, schema: Schema): string =>
  describe(name, schema) ?? (name.endsWith('Id') ? `The id of the ${labelOf([name]).toLowerCase()}` : labelOf([name]))

const byFormat: Record<string, unknown> = {
  uuid: id,
  email: 'chloe@example.ca',
  date: '2026-12-01',
  'date-time': '2026-12-01T14:30:00Z',
  time: '14:30',
  uri: 'https://clinic.example/thanks',
}

/** An example of a value, from its own, its choices, a note about the name, its format or its type. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return exampleOf(variants.find((one) => one.type !== 'null') ?? {}, name)
  if (schema.format === 'date-time' && name === 'to') return '2026-12-08T00:00:00Z'
  if (schema.format !== undefined && Object.hasOwn(byFormat, schema.format)) return byFormat[schema.format]
  const noted = Object.hasOwn(notes, name) ? notes[name]?.example : undefined
  if (schema.type === 'object') return typeof noted === 'object' ? noted : exampleOfObject(schema)
  if (schema.prefixItems) return schema.prefixItems.map((item) => exampleOf(item, name))
  if (schema.type === 'array' && Array.isArray(noted) && !schema.items?.enum) return noted
  if (schema.type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => exampleOf(schema.items ?? {}, name.replace(/s$/, '')))
  if (noted !== undefined && typeof noted === (schema.type === 'integer' ? 'number' : schema.type)) return noted
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, Math.min(1, schema.maximum ?? 1))
  return schema.pattern === undefined ? labelOf([name]) : ''
}

/** The required fields. If there are fewer than two, as of a change, also an optional one. */
function exampleOfObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const names = required.length > 1 ? required : [...optional.slice(0, 1), ...required]
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, name)]))
}

/** Adds a description and an example to a parameter. */
export function explainParameter(parameter: Parameter): Parameter {
  const schema = parameter.schema ?? {}
  const { description: _, ...plain } = schema
  return {
    name: parameter.name,
    in: parameter.in,
    ...(parameter.required ? { required: true } : {}),
    description: parameter.description ?? describeParameter(parameter.name, schema),
    schema: plain,
    example: parameter.example ?? exampleOf(schema, parameter.name),
  }
}

/** Adds descriptions to the fields of a body. */
export function explainFields(schema: Schema): Schema {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return { ...schema, [schema.anyOf ? 'anyOf' : 'oneOf']: variants.map(explainFields) }
  if (!schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, field]): [string, Schema] => {
    const described = { ...field }
    const description = describe(name, described)
    return [name, description === undefined ? described : { ...described, description }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
