import { inOneLine } from '../../shared/text.ts'
import { bySameName, type EntryKind, type EntryStatus } from '../health/rules.ts'
import type { ChartField, FormDefinition, Question } from './definition-rules.ts'
import { isAnswered, type GivenAnswers, redFlags, visibleQuestions } from './rules.ts'

/*
 * What answers propose for the chart, and how that compares with what the chart says. Pure: the review is computed from the answers each time,
 * and only its decisions are stored.
 */

export const reviewedColumns = [
  'preferredName',
  'pronouns',
  'dateOfBirth',
  'preferredLanguage',
  'familyPhysician',
  'pharmacy',
  'emergencyContactName',
  'emergencyContactPhone',
] as const
export type ReviewedColumn = (typeof reviewedColumns)[number]

/** Where an accepted answer goes. `prefix`: before the text of an entry whose kind says too little. */
type Target =
  | { to: 'entry'; kind: EntryKind; isOne?: true; prefix?: string; isWeightLoss?: true }
  | { to: 'measurement'; field: 'heightCm' | 'weightKg' }
  | { to: 'contact'; columns: readonly [ReviewedColumn, ...ReviewedColumn[]] }
  | { to: 'nowhere' }

const targets: Record<ChartField, Target> = {
  allergies: { to: 'entry', kind: 'allergy' },
  medications: { to: 'entry', kind: 'medication' },
  weight_loss_medications: { to: 'entry', kind: 'medication', isWeightLoss: true },
  conditions: { to: 'entry', kind: 'condition' },
  past_surgeries: { to: 'entry', kind: 'surgery' },
  anaesthesia_history: { to: 'entry', kind: 'condition', prefix: 'Anaesthesia: ' },
  family_history: { to: 'entry', kind: 'condition', prefix: 'Family: ' },
  nicotine: { to: 'entry', kind: 'nicotine', isOne: true },
  alcohol: { to: 'entry', kind: 'condition', prefix: 'Alcohol: ', isOne: true },
  pregnancy: { to: 'entry', kind: 'pregnancy', isOne: true },
  implants: { to: 'entry', kind: 'implant' },
  height: { to: 'measurement', field: 'heightCm' },
  weight: { to: 'measurement', field: 'weightKg' },
  emergency_contact: { to: 'contact', columns: ['emergencyContactName', 'emergencyContactPhone'] },
  family_doctor: { to: 'contact', columns: ['familyPhysician'] },
  pharmacy: { to: 'contact', columns: ['pharmacy'] },
  preferred_name: { to: 'contact', columns: ['preferredName'] },
  pronouns: { to: 'contact', columns: ['pronouns'] },
  birth_date: { to: 'contact', columns: ['dateOfBirth'] },
  preferred_language: { to: 'contact', columns: ['preferredLanguage'] },
  goals: { to: 'nowhere' },
}
export const targetOf = (field: ChartField): Target => targets[field]

/** One thing that an answer proposes. `part`: an answer with several lines or choices has several. */
export interface Proposal {
  question: string
  part: number
  field: ChartField
  /** What would be written, as text. */
  text: string
}

/** The longest name of an entry (chart/health/contract.ts). */
const maxText = 200
/** Ids of answers that say that there is nothing, and texts that do. */
const negativeIds: readonly string[] = ['no', 'none', 'never', 'not_applicable']
const negativeText =
  /^(no|none|never|nothing|n\/?a|nkd?a|not applicable|((no|none|nil)( that i)?( known| know)?( of)?( (drug|food|latex|medication))?( allerg(y|ies)| medications?| conditions?| surger(y|ies))?)|non|aucune?s?( connue?s?)?|(pas d’|pas d'|aucune )allergies?( connues?)?|jamais|rien|sans objet)[.!]?$/i

/** What the answers propose, in the order of the form. An answer that says 'none' proposes nothing: an empty list is confirmed in the chart. */
export function proposalsOf(definition: FormDefinition, answers: GivenAnswers): Proposal[] {
  const raised = redFlags(definition, answers)
  return visibleQuestions(definition, answers).flatMap((question) => {
    const field = question.mapsTo
    const value = answers[question.id]
    if (field === null || targetOf(field).to === 'nowhere' || !isAnswered(value)) return []
    const flag = raised.find((one) => one.question === question.id)
    const texts = textsOf(question, value, flag?.message.en)
      .map((text) => inOneLine(text))
      .filter((text) => text !== '' && !negativeText.test(text))
    return texts.map((text, part) => ({ question: question.id, part, field, text: withPrefix(field, text) }))
  })
}

function withPrefix(field: ChartField, text: string): string {
  const target = targetOf(field)
  const whole = target.to === 'entry' && target.prefix ? target.prefix + text : text
  return whole.length <= maxText ? whole : `${whole.slice(0, maxText - 1)}…`
}

/** The texts of an answer, as staff read them. */
function textsOf(question: Question, value: unknown, flag: string | undefined): string[] {
  const optionText = (id: string) => {
    const option = question.options.find((one) => one.id === id)
    if (!option || option.isExclusive || negativeIds.includes(id)) return []
    // Options of a language are its codes.
    return [question.mapsTo === 'preferred_language' ? id : option.label.en]
  }
  switch (question.type) {
    case 'text':
    case 'long_text':
      return isList(question) ? String(value).split(/[\n;]+/) : [String(value)]
    case 'yes_no':
      return value === true ? [flag ?? question.label.en.replace(/[?\s]+$/, '')] : []
    case 'choice':
      return optionText(String(value))
    case 'choices':
      return (value as string[]).flatMap(optionText)
    case 'number':
    case 'scale':
      return [
        question.mapsTo === 'height' || question.mapsTo === 'weight' || !question.unit
          ? String(value)
          : `${String(value)} ${question.unit}`,
      ]
    case 'date':
      return [String(value)]
    default:
      return []
  }
}

function isList({ mapsTo }: Question): boolean {
  const target = mapsTo && targetOf(mapsTo)
  return target?.to === 'entry' && !target.isOne
}

/** What the chart and the record say, as far as answers can propose it. */
export interface ChartNow {
  entries: readonly { kind: EntryKind; name: string; status: EntryStatus; dose: string | null; detail: string | null }[]
  heightCm: number | null
  weightKg: number | null
  contact: Record<ReviewedColumn, string | null>
}

const isShown = ({ kind, status }: ChartNow['entries'][number]) => status === 'active' || (kind === 'surgery' && status === 'past')

const entriesFor = (field: ChartField, chart: ChartNow) => {
  const target = targetOf(field)
  if (target.to !== 'entry') return []
  const { kind, prefix } = target
  return chart.entries.filter((entry) => entry.kind === kind && isShown(entry) && (!prefix || entry.name.startsWith(prefix)))
}

/** What the chart says about a field now. */
export function chartTexts(field: ChartField, chart: ChartNow): string[] {
  const target = targetOf(field)
  const present = (values: readonly (string | null)[]) => values.filter((value) => value !== null)
  if (target.to === 'entry')
    return entriesFor(field, chart).map(({ name, dose, detail }) => present([name, dose, detail && `(${detail})`]).join(' '))
  if (target.to === 'measurement') return chart[target.field] === null ? [] : [`${chart[target.field]} ${units[target.field]}`]
  if (target.to === 'contact') {
    const text = present(target.columns.map((column) => chart.contact[column])).join(', ')
    return text === '' ? [] : [text]
  }
  return []
}

/** Of measurements. */
export const units = { heightCm: 'cm', weightKg: 'kg' } as const

export type ProposalState = 'same' | 'new' | 'different'

export function stateOf({ field, text }: Proposal, chart: ChartNow): ProposalState {
  const target = targetOf(field)
  const now = chartTexts(field, chart)
  if (target.to === 'entry') {
    if (entriesFor(field, chart).some(({ name }) => bySameName(name, text))) return 'same'
    return target.isOne && now.length > 0 ? 'different' : 'new'
  }
  if (now.length === 0) return 'new'
  if (target.to === 'measurement') return roundedTo(target.field, Number(text)) === chart[target.field] ? 'same' : 'different'
  if (field === 'emergency_contact') {
    const { name, phone } = splitPhone(text)
    const { emergencyContactName, emergencyContactPhone } = chart.contact
    const isSame = bySameName(name, emergencyContactName ?? '') && (phone === null || digits(phone) === digits(emergencyContactPhone ?? ''))
    return isSame ? 'same' : 'different'
  }
  return bySameName(text, now[0]!) ? 'same' : 'different'
}

/** A height in whole centimetres, a weight with one decimal. */
export const roundedTo = (field: 'heightCm' | 'weightKg', value: number): number =>
  field === 'heightCm' ? Math.round(value) : Math.round(value * 10) / 10

const digits = (text: string): string => text.replace(/\D/g, '').replace(/^1(?=\d{10})/, '')

/** 'Bo Lavoie, 905 555 0142' as a name and a phone number. */
export function splitPhone(text: string): { name: string; phone: string | null } {
  const phone = /\+?\d[\d\s().-]{5,}\d(\s*(x|ext\.?|poste)\s*\d+)?/i.exec(text)?.[0] ?? null
  const name = phone === null ? text : text.replace(phone, ' ')
  return { name: inOneLine(name.replace(/[(\s,;:–-]+$|^[\s,;:–-]+/g, '')), phone }
}

/** The year that a text about a past surgery names. */
export function yearIn(text: string): number | null {
  const year = /\b(19|20)\d\d\b/.exec(text)?.[0]
  return year === undefined ? null : Number(year)
}
