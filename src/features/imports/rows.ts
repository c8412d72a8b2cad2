import type { z } from 'zod'
import { contactFields } from '../contacts/contract.ts'
import type { DateOrder, ImportColumn, ImportField, ImportProblem } from './contract.ts'
import { dateFields } from './rules.ts'
import { readBoolean, readCents, readDay, readInstant, readTime, splitName, splitTags } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What a row says of a patient, ready to be stored; or what is wrong with it. */
export type ReadRow = { row: number; name: string; values: PatientValues; tags: string[]; problems: ImportProblem[] }
export type PatientValues = Record<string, string | number | boolean | null>

type Reading = string | number | boolean | { wrong: string }
type Reader = (text: string, dateOrder: DateOrder) => Reading

const wrong = (reason: string) => ({ wrong: reason })
const longestTag = 60

/** Checks a text by the rule that the form has for the field. */
function byRule(rule: z.ZodType): Reader {
  return (text) => {
    const parsed = rule.safeParse(text)
    return parsed.success ? (parsed.data as string) : wrong(parsed.error.issues[0]!.message)
  }
}

const day: Reader = (text, order) => readDay(text, order) ?? wrong('This is not a date')
const boolean: Reader = (text) => readBoolean(text) ?? wrong('Write yes or no')
const amount: Reader = (text) => {
  const cents = readCents(text)
  if (cents === undefined) return wrong('This is not an amount')
  return contactFields.shape.revenueCents.safeParse(cents).success ? cents : wrong('This amount is too large')
}

/** Fields that are stored under another name than they are written, or in another form. */
function readersFor(vocabulary: Vocabulary, timeZone: string): Partial<Record<ImportField, Reader>> {
  const instant: Reader = (text, order) => readInstant(text, order, timeZone)?.toISOString() ?? wrong('This is not a date')
  return {
    funnelStage: (text) => vocabulary.stage(text) ?? wrong('There is no such stage'),
    assignedSalesRepId: (text) => vocabulary.person(text, 'assignedSalesRepId') ?? wrong('Nobody who may own a patient has this name'),
    assignedProviderId: (text) => vocabulary.person(text, 'assignedProviderId') ?? wrong('No provider has this name'),
    nextFollowUpDate: instant,
    lastContactDate: instant,
    consentToCommunicate: boolean,
    requiresSpecialistConsult: boolean,
    specialistResultsReceived: boolean,
    revenueCents: amount,
    surgicalDate: day,
    appointmentDate: day,
    specialistResultsDate: day,
    appointmentTime: (text) => readTime(text) ?? wrong('This is not a time'),
  }
}

/** The column that a field is stored in, where it has another name. */
const storedAs: Partial<Record<ImportField, string>> = { funnelStage: 'funnelStageId' }

/** Reads the rows of a file whose columns hold what was chosen. The same row always reads the same while the vocabulary does. */
export function rowReader(columns: readonly ImportColumn[], vocabulary: Vocabulary, timeZone: string) {
  const special = readersFor(vocabulary, timeZone)
  const used = columns.flatMap(({ header, field, dates, dateOrder }, at) => {
    if (field === null) return []
    const order = dateOrder ?? (dates === 'dmy' ? 'dmy' : 'mdy')
    const rule = field in contactFields.shape ? contactFields.shape[field as keyof typeof contactFields.shape] : null
    return [
      { at, header, field, order: dateFields.includes(field) ? order : 'mdy', read: special[field] ?? (rule && byRule(rule)) } as const,
    ]
  })
  const isWhole = used.some(({ field }) => field === 'fullName')
  const nameColumn = used.find(({ field }) => field === 'fullName' || field === 'lastName')?.header ?? ''

  return (row: number, cells: readonly string[]): ReadRow => {
    const values: PatientValues = {}
    const problems: ImportProblem[] = []
    let tags: string[] = []
    const refuse = (column: string, value: string, reason: string) => problems.push({ column, value: value.slice(0, 200), reason })
    const given = new Set<string>()
    const take = (field: string, column: string, text: string, reading: Reading) => {
      given.add(field)
      if (typeof reading === 'object') refuse(column, text, reading.wrong)
      else values[storedAs[field as ImportField] ?? field] = reading
    }

    for (const { at, header, field, order, read } of used) {
      const text = cells[at] ?? ''
      if (text === '') continue
      if (field === 'tags') {
        tags = splitTags(text)
        const long = tags.find((tag) => tag.length > longestTag)
        if (long) refuse(header, long, `A tag has at most ${longestTag} characters`)
      } else if (field === 'fullName') {
        const { firstName, lastName } = splitName(text)
        if (firstName) take('firstName', header, firstName, firstNameRule(firstName, order))
        if (lastName) take('lastName', header, lastName, lastNameRule(lastName, order))
      } else if (field === 'leadSource' || field === 'procedureOfInterest') {
        const checked = read!(text, order)
        if (typeof checked === 'object') refuse(header, text, checked.wrong)
        else Object.assign(values, field === 'leadSource' ? vocabulary.source(text) : vocabulary.procedure(text))
      } else take(field, header, text, read!(text, order))
    }
    for (let at = columns.length; at < cells.length; at++)
      if (cells[at]) refuse(`Column ${at + 1}`, cells[at]!, 'This row has more cells than there are headers')
    const missing = given.has('firstName') ? (given.has('lastName') ? null : 'Last name is required') : 'First name is required'
    if (missing) refuse(nameColumn, given.has('firstName') && isWhole ? String(values.firstName ?? '') : '', missing)
    return { row, name: [values.firstName, values.lastName].filter(Boolean).join(' '), values, tags, problems }
  }
}

const firstNameRule = byRule(contactFields.shape.firstName)
const lastNameRule = byRule(contactFields.shape.lastName)
