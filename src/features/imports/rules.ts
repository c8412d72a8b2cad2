import { fieldLabels } from '../contacts/rules.ts'
import { type ColumnChoice, type DateEvidence, type ImportColumn, type ImportField, importFields } from './contract.ts'

export const importLabels = Object.fromEntries(
  importFields.map((field) => [field, field === 'fullName' ? 'Full name' : field === 'tags' ? 'Tags' : fieldLabels[field]!]),
) as Record<ImportField, string>

/** Fields whose values are dates, with or without a time. */
export const dateFields: readonly ImportField[] = [
  'nextFollowUpDate',
  'lastContactDate',
  'specialistResultsDate',
  'surgicalDate',
  'appointmentDate',
]

/** What other programs call our fields: HubSpot, Salesforce, Jane and others. The first that a file has is taken. */
const synonyms: Record<ImportField, readonly string[]> = {
  firstName: ['first', 'given name', 'forename', 'legal first name', 'patient first name', 'preferred first name', 'vorname', 'prénom'],
  lastName: ['last', 'surname', 'family name', 'legal last name', 'patient last name', 'nachname', 'nom'],
  fullName: ['name', 'contact name', 'patient', 'patient name', 'client', 'client name', 'customer name', 'lead name', 'contact'],
  email: ['e-mail', 'email address', 'e-mail address', 'primary email', 'work email', 'mail', 'contact email', 'patient email'],
  phone: [
    'phone number',
    'mobile phone',
    'mobile phone number',
    'mobile',
    'cell phone',
    'cell',
    'primary phone',
    'home phone',
    'telephone',
    'tel',
    'work phone',
    'whatsapp phone number',
  ],
  funnelStage: ['funnel stage', 'pipeline stage', 'deal stage', 'lifecycle stage', 'lead stage', 'lead status'],
  leadSource: ['source', 'original source', 'original traffic source', 'referral source', 'how did you hear about us', 'heard about us'],
  procedureOfInterest: ['procedure', 'treatment', 'treatment of interest', 'interest', 'service', 'interested in'],
  assignedSalesRepId: [
    'contact owner',
    'lead owner',
    'account owner',
    'sales rep',
    'assigned to',
    'assigned sales rep',
    'coordinator',
    'patient coordinator',
  ],
  assignedProviderId: ['assigned provider', 'practitioner', 'primary practitioner', 'surgeon', 'doctor', 'physician', 'staff member'],
  tags: ['tag', 'labels', 'label', 'lists', 'groups', 'segments'],
  nextFollowUpDate: ['next follow up date', 'follow up', 'follow up date', 'next activity date', 'next step date'],
  lastContactDate: ['last contact date', 'last contacted', 'last activity date', 'last activity', 'last visit', 'last appointment'],
  consentToCommunicate: ['consent', 'marketing consent', 'opt in', 'email opt in', 'marketing email', 'legal basis', 'subscribed'],
  status: ['patient status', 'contact status'],
  address: ['street address', 'mailing street', 'street', 'address line 1', 'address 1', 'mailing address', 'home address'],
  city: ['mailing city', 'town', 'home city'],
  state: ['state', 'state/region', 'region', 'mailing state', 'mailing state/province', 'state/province', 'home province'],
  zipCode: ['zip', 'zip code', 'postal', 'postcode', 'mailing zip', 'mailing zip/postal code', 'zip/postal code', 'home postal code'],
  company: ['company name', 'account name', 'organization', 'organisation', 'employer', 'associated company'],
  title: ['job title', 'position', 'occupation', 'role'],
  notes: ['note', 'comments', 'comment', 'description', 'patient notes', 'remarks', 'message'],
  revenueCents: ['total revenue', 'amount', 'lifetime value', 'deal amount', 'value', 'total spent'],
  surgicalDate: ['surgery date', 'date of surgery', 'operation date'],
  appointmentDate: ['next appointment', 'consult date', 'consultation date'],
  appointmentTime: ['consult time', 'consultation time'],
  appointmentLocation: ['location', 'clinic location'],
  weightLossMedication: ['medication', 'glp-1', 'weight loss medication'],
  requiresSpecialistConsult: ['requires specialist consult'],
  specialistConsultType: [],
  specialistConsultReason: [],
  specialistResultsReceived: [],
  specialistResultsDate: [],
  specialistNotes: [],
}

/** A header without case, accents and punctuation. */
export const plainHeader = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const known: readonly { field: ImportField; names: readonly string[] }[] = importFields.map((field) => ({
  field,
  names: [importLabels[field], field, ...synonyms[field]].map(plainHeader),
}))

/** What the columns are likely to hold, by their headers; each field once. Either a whole name or its two parts. */
export function guessFields(headers: readonly string[]): (ImportField | null)[] {
  const plain = headers.map(plainHeader)
  const guessed: (ImportField | null)[] = headers.map(() => null)
  for (const { field, names } of known) {
    const at = names.map((name) => plain.findIndex((header, i) => header === name && guessed[i] === null)).find((i) => i >= 0)
    if (at !== undefined) guessed[at] = field
  }
  const hasParts = guessed.includes('firstName') && guessed.includes('lastName')
  const unwanted: readonly (ImportField | null)[] = hasParts ? ['fullName'] : guessed.includes('fullName') ? ['firstName', 'lastName'] : []
  return guessed.map((field) => (unwanted.includes(field) ? null : field))
}

/** What is wrong with a choice of columns, by where it is in the input; empty when it can be used. */
export function problemsOfColumns(columns: readonly ImportColumn[], chosen: readonly ColumnChoice[]): Record<string, string> {
  if (chosen.length !== columns.length) return { columns: `This file has ${columns.length} columns` }
  const problems: Record<string, string> = {}
  const fields = chosen.map(({ field }) => field)
  for (const [i, { field, dateOrder }] of chosen.entries()) {
    if (field === null) continue
    const first = fields.indexOf(field)
    if (first < i) problems[`columns.${i}.field`] = `“${columns[first]!.header}” is ${importLabels[field]} already`
    if (dateFields.includes(field) && columns[i]!.dates === 'either' && dateOrder === null)
      problems[`columns.${i}.dateOrder`] = 'Say how these dates are written'
  }
  if (!fields.includes('fullName') && !(fields.includes('firstName') && fields.includes('lastName')))
    problems.columns = 'Choose the columns of the first and the last name, or the one of the whole name'
  if (fields.includes('fullName') && (fields.includes('firstName') || fields.includes('lastName')))
    problems.columns = 'Choose either the whole name or its parts'
  return problems
}

const numbered = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/

/** What one more value says of the order of a column's dates. */
export function evidenceOf(before: DateEvidence, value: string): DateEvidence {
  const match = numbered.exec(value)
  if (!match) return before
  const [first, second] = [Number(match[1]), Number(match[2])]
  if (first > 12 && second <= 12) return before === 'mdy' ? 'either' : 'dmy'
  if (second > 12 && first <= 12) return before === 'dmy' ? 'either' : 'mdy'
  return before === 'none' && first !== second ? 'either' : before
}
