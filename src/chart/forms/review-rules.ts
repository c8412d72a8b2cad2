import { inOneLine } from '../../shared/text.ts'
import {
  bySameName,
  type EntryKind,
  type EntryStatus,
  formatMedication,
  isAbout,
  isPresent,
  type NegativeTopic,
  prefixOf,
} from '../health/rules.ts'
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
  'sexAtBirth',
  'gender',
  'preferredLanguage',
  'familyPhysician',
  'pharmacy',
  'emergencyContactName',
  'emergencyContactPhone',
  'emergencyContactRelationship',
  'phone',
] as const
export type ReviewedColumn = (typeof reviewedColumns)[number]

/**
 * Where an accepted answer goes. `topic`: what the entry is about, which can also be nothing: then `none` says so in the chart, as a negative or,
 * for allergies and medications, as a review of the section.
 */
type Target =
  | { to: 'entry'; kind: EntryKind; isOne?: true; isWeightLoss?: true; topic?: NegativeTopic | 'allergies' | 'medications'; none?: string }
  | { to: 'measurement'; field: 'heightCm' | 'weightKg' }
  | { to: 'contact'; columns: readonly [ReviewedColumn, ...ReviewedColumn[]] }
  | { to: 'nowhere' }

const targets: Record<ChartField, Target> = {
  allergies: { to: 'entry', kind: 'allergy', topic: 'allergies', none: 'No known allergies' },
  medications: { to: 'entry', kind: 'medication', topic: 'medications', none: 'Takes no medication' },
  weight_loss_medications: { to: 'entry', kind: 'medication', isWeightLoss: true },
  conditions: { to: 'entry', kind: 'condition', topic: 'conditions', none: 'No medical conditions' },
  past_surgeries: { to: 'entry', kind: 'surgery', topic: 'surgeries', none: 'No past surgeries' },
  anaesthesia_history: { to: 'entry', kind: 'condition', topic: 'anaesthesia', none: 'No problems with anaesthesia' },
  family_history: { to: 'entry', kind: 'condition', topic: 'family', none: 'No family history' },
  nicotine: { to: 'entry', kind: 'nicotine', isOne: true, topic: 'nicotine', none: 'Does not smoke or use nicotine' },
  alcohol: { to: 'entry', kind: 'condition', isOne: true, topic: 'alcohol', none: 'Drinks no alcohol' },
  pregnancy: { to: 'entry', kind: 'pregnancy', isOne: true, topic: 'pregnancy', none: 'Not pregnant or breastfeeding' },
  implants: { to: 'entry', kind: 'implant', topic: 'implants', none: 'No implants' },
  height: { to: 'measurement', field: 'heightCm' },
  weight: { to: 'measurement', field: 'weightKg' },
  emergency_contact: { to: 'contact', columns: ['emergencyContactName', 'emergencyContactPhone'] },
  phone: { to: 'contact', columns: ['phone'] },
  emergency_relationship: { to: 'contact', columns: ['emergencyContactRelationship'] },
  family_doctor: { to: 'contact', columns: ['familyPhysician'] },
  pharmacy: { to: 'contact', columns: ['pharmacy'] },
  preferred_name: { to: 'contact', columns: ['preferredName'] },
  pronouns: { to: 'contact', columns: ['pronouns'] },
  birth_date: { to: 'contact', columns: ['dateOfBirth'] },
  preferred_language: { to: 'contact', columns: ['preferredLanguage'] },
  sex_at_birth: { to: 'contact', columns: ['sexAtBirth'] },
  gender: { to: 'contact', columns: ['gender'] },
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
  /** The answer says that there is nothing: 'No known allergies'. */
  isNone: boolean
}

/** The longest name of an entry (chart/health/contract.ts). */
const maxText = 200
/** Ids of answers that say that there is nothing, and texts that do. */
const negativeIds: readonly string[] = ['no', 'none', 'never', 'not_applicable']
const negativeText =
  /^(no|none|never|nothing|n\/?a|nkd?a|not applicable|((no|none|nil)( that i)?( known| know)?( of)?( (drug|food|latex|medication))?( allerg(y|ies)| medications?| conditions?| surger(y|ies))?)|non|aucune?s?( connue?s?)?|(pas d’|pas d'|aucune )allergies?( connues?)?|jamais|rien|sans objet)[.!]?$/i

/**
 * What the answers propose, in the order of the form. A "no" proposes that there is nothing, unless another answer names something for the same
 * field; a "yes" that another question asks about proposes nothing itself.
 */
export function proposalsOf(definition: FormDefinition, answers: GivenAnswers): Proposal[] {
  const raised = redFlags(definition, answers)
  const visible = visibleQuestions(definition, answers)
  const proposals = visible.flatMap((question): Proposal[] => {
    const field = question.mapsTo
    const value = answers[question.id]
    if (field === null || targetOf(field).to === 'nowhere' || !isAnswered(value)) return []
    const isAskedFurther = visible.some(({ mapsTo, showIf }) => mapsTo === field && showIf?.question === question.id)
    if (isAskedFurther) return []
    const flag = raised.find((one) => one.question === question.id)
    const texts = textsOf(question, value, flag?.message.en)
      .map((text) => inOneLine(text))
      .filter((text) => text !== '' && !negativeText.test(text))
    if (texts.length > 0)
      return texts.map((text, part) => ({ question: question.id, part, field, text: withPrefix(field, text), isNone: false }))
    const none = noneText(question, value)
    return none === null ? [] : [{ question: question.id, part: 0, field, text: none, isNone: true }]
  })
  const isNamed = (field: ChartField) =>
    proposals.some((other) => {
      const target = targetOf(other.field)
      return !other.isNone && target.to === 'entry' && isFor(field, { kind: target.kind, name: other.text })
    })
  return proposals.filter(({ isNone, field }) => !isNone || !isNamed(field))
}

/** How the chart says that there is nothing; null if it can't. */
function noneText({ mapsTo }: Question, value: unknown): string | null {
  const target = targetOf(mapsTo!)
  if (target.to !== 'entry' || !target.none) return null
  return mapsTo === 'nicotine' && value === 'never' ? 'Never used nicotine' : target.none
}

/** The topic of the chart's history that an entry for a field is about; null for those without one, and for allergies and medications. */
export function topicOf(field: ChartField): NegativeTopic | null {
  const topic = topicOrSection(field)
  return topic === null || topic === 'allergies' || topic === 'medications' ? null : topic
}
const topicOrSection = (field: ChartField) => {
  const target = targetOf(field)
  return (target.to === 'entry' && target.topic) || null
}

function withPrefix(field: ChartField, text: string): string {
  const topic = topicOf(field)
  const whole = topic === null ? text : prefixFor(topic, text) + text
  return whole.length <= maxText ? whole : `${whole.slice(0, maxText - 1)}…`
}

/** Nicotine has a kind of its own, but "I have stopped" says too little in a list of conditions. */
function prefixFor(topic: NegativeTopic, text: string): string {
  if (topic === 'nicotine') return /nicotine/i.test(text) ? '' : 'Nicotine: '
  return prefixOf(topic)
}

/** Fields of the record whose choices are codes: the ids of the options. */
const hasCodes: readonly ChartField[] = ['preferred_language', 'sex_at_birth']

/** The texts of an answer, as staff read them. */
function textsOf(question: Question, value: unknown, flag: string | undefined): string[] {
  const optionText = (id: string) => {
    const option = question.options.find((one) => one.id === id)
    if (!option || option.isExclusive || negativeIds.includes(id)) return []
    return [question.mapsTo && hasCodes.includes(question.mapsTo) ? id : option.label.en]
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
      if (value === 0 && question.mapsTo !== 'height' && question.mapsTo !== 'weight') return []
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
  entries: readonly {
    kind: EntryKind
    name: string
    status: EntryStatus
    dose: string | null
    year: number | null
    anaesthesia: string | null
    detail: string | null
  }[]
  /** What the chart says that there is none of: 'No known allergies'. */
  none: readonly { topic: NegativeTopic | 'allergies' | 'medications'; statement: string }[]
  heightCm: number | null
  weightKg: number | null
  contact: Record<ReviewedColumn, string | null>
}

/** Whether an entry is for a field. */
export function isFor(field: ChartField, entry: { kind: EntryKind; name: string }): boolean {
  const target = targetOf(field)
  if (target.to !== 'entry') return false
  const topic = topicOf(field)
  return topic === null ? entry.kind === target.kind : isAbout(topic, entry)
}
const entriesFor = (field: ChartField, chart: ChartNow) => chart.entries.filter((entry) => isPresent(entry) && isFor(field, entry))
const noneFor = (field: ChartField, chart: ChartNow): string | null =>
  chart.none.find(({ topic }) => topic === topicOrSection(field))?.statement ?? null

/** What the chart says about a field now. */
export function chartTexts(field: ChartField, chart: ChartNow): string[] {
  const target = targetOf(field)
  const present = (values: readonly (string | null)[]) => values.filter((value) => value !== null)
  if (target.to === 'entry') {
    const entries = entriesFor(field, chart)
    if (entries.length === 0) return present([noneFor(field, chart)])
    return entries.map(({ name, dose, year, anaesthesia, detail }) => {
      const facts = [year, anaesthesia, detail].filter((fact) => fact !== null && fact !== '').join(', ')
      return present([formatMedication({ name, dose }), facts === '' ? null : `(${facts})`]).join(' ')
    })
  }
  if (target.to === 'measurement') return chart[target.field] === null ? [] : [`${chart[target.field]} ${units[target.field]}`]
  if (target.to === 'contact') {
    const text = present(target.columns.map((column) => chart.contact[column])).join(', ')
    return text === '' ? [] : [text]
  }
  return []
}

/** Of measurements. */
export const units = { heightCm: 'cm', weightKg: 'kg' } as const

/** `contradiction`: the patient reports that there is nothing, and the chart has entries. Only the chart can resolve it. */
export type ProposalState = 'same' | 'new' | 'different' | 'contradiction'

export function stateOf({ field, text, isNone }: Proposal, chart: ChartNow): ProposalState {
  const target = targetOf(field)
  const now = chartTexts(field, chart)
  if (target.to === 'entry') {
    const entries = entriesFor(field, chart)
    if (isNone) return entries.length > 0 ? 'contradiction' : now.length === 0 ? 'new' : bySameName(now[0]!, text) ? 'same' : 'different'
    if (entries.some(({ name }) => bySameName(name, text))) return 'same'
    return now.length > 0 && (target.isOne || entries.length === 0) ? 'different' : 'new'
  }
  if (now.length === 0) return 'new'
  if (target.to === 'measurement') return roundedTo(target.field, Number(text)) === chart[target.field] ? 'same' : 'different'
  if (field === 'emergency_contact') {
    const { name, phone } = splitPhone(text)
    const { emergencyContactName, emergencyContactPhone } = chart.contact
    const isSame = bySameName(name, emergencyContactName ?? '') && (phone === null || digits(phone) === digits(emergencyContactPhone ?? ''))
    return isSame ? 'same' : 'different'
  }
  if (field === 'phone') return digits(text) === digits(now[0]!) ? 'same' : 'different'
  return bySameName(text, now[0]!) ? 'same' : 'different'
}

/** Identifies an answer and its part. */
export const keyOf = ({ question, part }: Pick<Proposal, 'question' | 'part'>): string => `${question}:${part}`

/** A typed number, with a point or a comma; NaN for anything else. */
export const typedNumber = (text: string): number => (/^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.replace(',', '.')) : Number.NaN)

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
