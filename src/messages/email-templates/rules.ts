/** Double-brace variables in templates of mails (spec 5: replaced globally; spec 9: which there are). */

/** What only a mail about an appointment knows. */
const appointmentVariables = [
  'appointment_day',
  'appointment_time',
  'appointment_provider',
  'appointment_place',
  'appointment_link',
] as const

/** The templates of emails about an appointment, by what they say. */
export const appointmentTemplates = {
  confirmation: 'appointment_confirmation',
  changed: 'appointment_changed',
  cancelled: 'appointment_cancelled',
  reminder: 'appointment_reminder',
} as const

/** What only an email about a patient's balance knows. */
const balanceVariables = ['balance_due', 'balance_details', 'payment_contact'] as const

/** Spec 9's default set, an appointment's and a balance's. */
export const templateVariables = [
  'patient_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'procedure',
  'lead_source',
  'company_name',
  'company_email',
  'company_phone',
  ...appointmentVariables,
  ...balanceVariables,
] as const
export type AppointmentVariable = (typeof appointmentVariables)[number]
export type BalanceVariable = (typeof balanceVariables)[number]
export type TemplateVariable = (typeof templateVariables)[number]

/** What stands for each variable; one that is missing, null or blank is empty. */
export type TemplateValues = Readonly<Partial<Record<TemplateVariable, string | null>>>

/** Without braces inside, so that of nested ones the innermost pair is the variable, and a search never looks at a character twice. */
const placeholder = /\{\{([^{}]+)\}\}/g

const isVariable = (name: string): name is TemplateVariable => templateVariables.some((variable) => variable === name)

/**
 * Puts the values in, all at once, so that a value which itself holds `{{email}}` or `$&` stays as it is. What is no variable stays as it was
 * typed, an empty one leaves nothing. As HTML, values are escaped for text and for attributes in quotes; the template itself is not.
 */
export function render(template: string, values: TemplateValues, as: 'text' | 'html'): string {
  return template.replace(placeholder, (whole, inner: string) => {
    const name = inner.trim()
    if (!isVariable(name)) return whole
    const value = valueOf(values, name)
    return as === 'html' ? escapeHtml(value) : value
  })
}

/** A subject: as text, on one line, since a line's end would begin a header of its own. */
export const renderSubject = (template: string, values: TemplateValues): string =>
  render(template, values, 'text')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

/** What stands between double braces, known or not, each once, in the order of its first use. */
export function variablesOf(template: string): string[] {
  const names = Array.from(template.matchAll(placeholder), ([, inner]) => inner!.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

export type MissingVariables = {
  /** Names that nothing is known by: the mail would show them with their braces. */
  unknown: string[]
  /** Variables without a value: the mail would have a gap. */
  empty: TemplateVariable[]
}

/** What to say before a mail is sent. Several templates, such as subject and body, are looked at together. */
export function missingOf(template: string | readonly string[], values: TemplateValues): MissingVariables {
  const names = variablesOf(typeof template === 'string' ? template : template.join('\n'))
  return {
    unknown: names.filter((name) => !isVariable(name)),
    empty: names.filter(isVariable).filter((name) => valueOf(values, name).trim() === ''),
  }
}

type Patient = {
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
  procedure: string | null
  leadSource: string | null
}
type Company = { name: string; email: string; phone: string }

type PatientVariable = Exclude<TemplateVariable, AppointmentVariable | BalanceVariable>

/** What the variables stand for in an email to this patient; those of an appointment or a balance come from the feature that writes about it. */
export const valuesFor = (patient: Patient, company: Company): Record<PatientVariable, string> => ({
  patient_name: `${patient.firstName} ${patient.lastName}`.trim(),
  first_name: patient.firstName,
  last_name: patient.lastName,
  email: patient.email ?? '',
  phone: patient.phone ?? '',
  procedure: patient.procedure ?? '',
  lead_source: patient.leadSource ?? '',
  company_name: company.name,
  company_email: company.email,
  company_phone: company.phone,
})

/** Someone who does not exist, for a preview without a patient. */
export const samplePatient: Patient = {
  firstName: 'Olivia',
  lastName: 'Tremblay',
  email: 'olivia.tremblay@example.com',
  phone: '416-555-0142',
  procedure: 'Rhinoplasty',
  leadSource: 'Website Form',
}

/** An appointment of no one's, for a preview without a patient. */
export const sampleAppointment: Record<AppointmentVariable, string> = {
  appointment_day: 'Tuesday, December 1, 2026',
  appointment_time: '10:00 a.m.',
  appointment_provider: 'Dr. Okafor',
  appointment_place: '1 Lakeshore Road, Oakville',
  appointment_link: 'https://refyne.example/appointment/your-link',
}

/** A balance for a preview without a patient. */
export const sampleBalance: Record<BalanceVariable, string> = {
  balance_due: '$1,500.00',
  balance_details: '$1,000.00 was due on November 2, 2026. Next, $500.00 is due on December 1, 2026.',
  payment_contact: 'call (905) 555-0118 or reply to this email',
}

/** A plain text as HTML: a paragraph for each block, its lines kept. Braces stay, so variables may be put in afterwards. */
export const htmlFromText = (text: string): string =>
  text
    .trim()
    .split(/\r?\n[\t ]*(?:\r?\n[\t ]*)+/)
    .map((block) => `<p>${escapeHtml(block).replace(/\r?\n/g, '<br>')}</p>`)
    .join('\n')

const valueOf = (values: TemplateValues, name: TemplateVariable): string => (Object.hasOwn(values, name) ? values[name] : null) ?? ''

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => escapes[character]!)

/** A template's name as people read it: the key 'welcome_email' is 'Welcome email'. Any other name stays. */
export function templateTitle(name: string): string {
  if (!/^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name)) return name
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const maxNameLength = 100

/** The first free name for a copy; names differ by more than their case. */
export function copyName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((one) => one.toLowerCase()))
  for (let copy = 1; ; copy++) {
    const suffix = copy === 1 ? ' (copy)' : ` (copy ${copy})`
    const candidate = `${name.slice(0, maxNameLength - suffix.length).toWellFormed()}${suffix}`
    if (!names.has(candidate.toLowerCase())) return candidate
  }
}
