import { isGreetable } from '../../crm/leads/rules.ts'
import { fillPlaceholders, placeholdersIn } from '../../shared/placeholders.ts'
import type { Language } from '../../shared/translations.ts'

/** Double-brace variables in email templates (spec 5: replaced globally; spec 9: the available ones). */

/** Set in Settings, Practice. */
export const practiceVariables = ['company_name', 'company_email', 'company_phone'] as const

/** Available only in an email about an appointment. */
const appointmentVariables = [
  'appointment_day',
  'appointment_time',
  'appointment_provider',
  'appointment_place',
  'appointment_link',
] as const

/** The templates of emails about an appointment, by purpose. */
export const appointmentTemplates = {
  confirmation: 'appointment_confirmation',
  /** For a visit that needs no confirmation. */
  booked: 'appointment_booked',
  changed: 'appointment_changed',
  /** For a visit that is confirmed already. */
  updated: 'appointment_updated',
  cancelled: 'appointment_cancelled',
  reminder: 'appointment_reminder',
  offer: 'appointment_offer',
} as const

/** Available only in an email about a patient's balance. */
const balanceVariables = ['balance_due', 'balance_details', 'payment_contact'] as const

/** Spec 9's default variables, the link to the portal, and those of appointments and balances. */
export const templateVariables = [
  'patient_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'procedure',
  'lead_source',
  ...practiceVariables,
  'portal_link',
  ...appointmentVariables,
  ...balanceVariables,
] as const
/** Not in a text message, which others may read on the phone: they say why someone is a patient. */
const clinicalVariables: readonly TemplateVariable[] = ['procedure', 'lead_source']
export const textVariables: readonly TemplateVariable[] = templateVariables.filter((name) => !clinicalVariables.includes(name))

/** Variables whose values are names and addresses, which are no clinical words even if they look like some. */
const nameVariables: readonly TemplateVariable[] = [
  'patient_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  ...practiceVariables,
  'portal_link',
  'appointment_provider',
  'appointment_place',
  'appointment_link',
]

export type AppointmentVariable = (typeof appointmentVariables)[number]
export type BalanceVariable = (typeof balanceVariables)[number]
export type TemplateVariable = (typeof templateVariables)[number]

/** Values by variable; a missing, null or blank one is empty. */
export type TemplateValues = Readonly<Partial<Record<TemplateVariable, string | null>>>

const isVariable = (name: string): name is TemplateVariable => templateVariables.some((variable) => variable === name)

/**
 * Replaces all variables at once, so a value that contains `{{email}}` or `$&` stays as it is. Unknown variables stay as typed; empty ones
 * are removed. For HTML, values are escaped for text and quoted attributes; the template is not.
 */
export function render(template: string, values: TemplateValues, as: 'text' | 'html'): string {
  return fillPlaceholders(template, (name) => {
    if (!isVariable(name)) return undefined
    const value = valueOf(values, name)
    return as === 'html' ? escapeHtml(value) : value
  })
}

/** Renders a subject as text on one line, because a line break would start a new header. */
export const renderSubject = (template: string, values: TemplateValues): string =>
  render(template, values, 'text')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

export type MissingVariables = {
  /** Unknown variables: the email would show them with their braces. */
  unknown: string[]
  /** Variables without a value: the email would have a gap. */
  empty: TemplateVariable[]
}

/** Problems to show before an email is sent. Several templates, such as subject and body, are checked together. */
export const missingOf = (template: string | readonly string[], values: TemplateValues): MissingVariables =>
  missingAmong(placeholdersIn(typeof template === 'string' ? template : template.join('\n')), values)

/** The same, given the variables of the template, for many patients. */
export const missingAmong = (names: readonly string[], values: TemplateValues): MissingVariables => ({
  unknown: names.filter((name) => !isVariable(name)),
  empty: names.filter(isVariable).filter((name) => valueOf(values, name).trim() === ''),
})

/** The values among which clinical words are looked for. */
export const namesLeftOut = (values: TemplateValues): TemplateValues => ({
  ...values,
  ...Object.fromEntries(nameVariables.map((name) => [name, ''])),
})

type Patient = {
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
  procedure: string | null
  leadSource: string | null
}
type Company = { name: string; email: string; phone: string; portal: string }

type PatientVariable = Exclude<TemplateVariable, AppointmentVariable | BalanceVariable>

/** Empty if it is not a person's name: anyone can type advertising into a form, with the address or number of someone else. */
const greetableName = (name: string): string => (isGreetable(name) ? name : '')

/** The variables' values in a message to this patient; those of an appointment or a balance come from the feature that sends it. */
export const valuesFor = (patient: Patient, company: Company): Record<PatientVariable, string> => ({
  patient_name: [patient.firstName, patient.lastName].map(greetableName).join(' ').trim(),
  first_name: greetableName(patient.firstName),
  last_name: greetableName(patient.lastName),
  email: patient.email ?? '',
  phone: patient.phone ?? '',
  procedure: patient.procedure ?? '',
  lead_source: patient.leadSource ?? '',
  company_name: company.name,
  company_email: company.email,
  company_phone: company.phone,
  portal_link: company.portal,
})

/** A fictitious patient for previews. */
export const samplePatient: Patient = {
  firstName: 'Olivia',
  lastName: 'Tremblay',
  email: 'olivia.tremblay@example.com',
  phone: '416-555-0142',
  procedure: 'Rhinoplasty',
  leadSource: 'Website Form',
}

/** What differs in French. */
const frenchSamplePatient: Patient = { ...samplePatient, procedure: 'Rhinoplastie', leadSource: 'Formulaire du site Web' }

/** A fictitious appointment for previews. */
export const sampleAppointment: Record<AppointmentVariable, string> = {
  appointment_day: 'Tuesday, December 1, 2026',
  appointment_time: '10:00 a.m.',
  appointment_provider: 'Dr. Okafor',
  appointment_place: '1 Lakeshore Road, Oakville',
  appointment_link: 'https://refyne.example/appointment/your-link',
}

const frenchSampleAppointment: Record<AppointmentVariable, string> = {
  ...sampleAppointment,
  appointment_day: 'mardi 1er décembre 2026',
  appointment_time: '10 h 00',
  appointment_provider: 'Dr. Okafor',
}

/** A fictitious balance for previews. */
export const sampleBalance: Record<BalanceVariable, string> = {
  balance_due: '$1,500.00',
  balance_details: '$1,000.00 was due on November 2, 2026. Next, $500.00 is due on December 1, 2026.',
  payment_contact: 'call (905) 555-0118 or reply to this email',
}

const frenchSampleBalance: Record<BalanceVariable, string> = {
  balance_due: '1 500,00 $',
  balance_details:
    'Un montant de 1 000,00 $ devait être payé le 2 novembre 2026. Ensuite, un montant de 500,00 $ est à payer d’ici le 1er décembre 2026.',
  payment_contact: 'appelez-nous au (905) 555-0118 ou répondez à ce courriel',
}

/** The values of a fictitious patient, appointment and balance, for previews. */
export const sampleValuesOf = (company: Company, language: Language): TemplateValues =>
  language === 'fr'
    ? { ...valuesFor(frenchSamplePatient, company), ...frenchSampleAppointment, ...frenchSampleBalance }
    : { ...valuesFor(samplePatient, company), ...sampleAppointment, ...sampleBalance }

/** Converts plain text to HTML: a paragraph per block, with line breaks. Braces stay, so variables can be replaced afterwards. */
export const htmlFromText = (text: string): string =>
  text
    .trim()
    .split(/\r?\n[\t ]*(?:\r?\n[\t ]*)+/)
    .map((block) => `<p>${escapeHtml(block).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')

const valueOf = (values: TemplateValues, name: TemplateVariable): string => (Object.hasOwn(values, name) ? values[name] : null) ?? ''

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => escapes[character]!)

const french = '_fr'

/**
 * The names under which the system looks for a template, in order: the French version of `appointment_reminder` is `appointment_reminder_fr`, its
 * text message `appointment_reminder_text`.
 */
export const templateNames = (name: string, language: Language, channel: 'email' | 'text' = 'email'): string[] => {
  const key = `${name.toLowerCase()}${channel === 'text' ? '_text' : ''}`
  return language === 'fr' ? [`${key}${french}`, key] : [key]
}

/** Templates whose variables have values only in the messages about appointments and balances that the system sends itself. */
const systemTemplates = new Set<string>([...Object.values(appointmentTemplates), 'payment_reminder'])

/** Whether a template is one of those, or its text message. */
export const isSystemTemplate = (name: string): boolean => systemTemplates.has(name.toLowerCase().replace(/_text$/, ''))

/** The language of a template, by its name. */
export const templateLanguage = (name: string): Language => (name.toLowerCase().endsWith(french) ? 'fr' : 'en')

/** The display name of a template: the key 'welcome_email' becomes 'Welcome email', 'welcome_email_fr' 'Welcome email (French)'. Any other name stays. */
export function templateTitle(name: string): string {
  if (!/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name)) return name
  if (name.endsWith(french)) return `${templateTitle(name.slice(0, -french.length))} (French)`
  return wordsOfKey(name)
}

/** A key as people write it: 'follow_up' becomes 'Follow-up', 'post_op_check' 'Post-op check'. Without an underscore only its first letter changes. */
export function wordsOfKey(key: string): string {
  const words = key
    .replaceAll(/(?<=^|_)(?:follow_up|post_op)(?=_|$)/g, (found) => found.replace('_', '-'))
    .replaceAll('_', ' ')
    .trim()
  return words.slice(0, 1).toLocaleUpperCase('en-CA') + words.slice(1)
}

const maxNameLength = 100

/** The first free name for a copy; names must differ by more than case. */
export function copyName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((one) => one.toLowerCase()))
  for (let copy = 1; ; copy++) {
    const suffix = copy === 1 ? ' (copy)' : ` (copy ${copy})`
    const candidate = `${name.slice(0, maxNameLength - suffix.length).toWellFormed()}${suffix}`
    if (!names.has(candidate.toLowerCase())) return candidate
  }
}
