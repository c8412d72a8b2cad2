import { comparable } from '../../shared/text.ts'

export const entryKinds = ['allergy', 'medication', 'condition', 'surgery', 'nicotine', 'pregnancy', 'implant', 'alert'] as const
export type EntryKind = (typeof entryKinds)[number]

export const severities = ['mild', 'moderate', 'severe'] as const
export type Severity = (typeof severities)[number]

/** `past`: no longer applies, such as an ended medication. `entered_in_error`: never applied. Nothing is deleted from a chart. */
export const entryStatuses = ['active', 'past', 'entered_in_error'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/** `form`: reported by the patient in an intake form, and accepted by the person who is named. */
export const entrySources = ['staff', 'form'] as const
export type EntrySource = (typeof entrySources)[number]

/** The parts of the health summary that are reviewed as one. Alerts belong to none of them. */
export const sections = ['allergies', 'medications', 'history'] as const
export type Section = (typeof sections)[number]
export const sectionKinds: Record<Section, readonly [EntryKind, ...EntryKind[]]> = {
  allergies: ['allergy'],
  medications: ['medication'],
  history: ['condition', 'surgery', 'nicotine', 'pregnancy', 'implant'],
}

export const bloodTypes = ['O+', 'O-', 'A+', 'A-', 'B+', 'B-', 'AB+', 'AB-'] as const
export type BloodType = (typeof bloodTypes)[number]
/** Physical status by the American Society of Anesthesiologists, 1 (healthy) to 5 (not expected to survive without surgery). */
export const asaClasses = [1, 2, 3, 4, 5] as const

/** The most entries, and the most measurements, that a patient's chart takes. Merged patients may have more. */
export const maxRows = 200
/** The most days before a surgery on which something has to be stopped. */
export const maxStopDays = 365

// Entries

/** The fields that only some kinds have, with their empty values. */
const ownFields = {
  severity: { kinds: ['allergy'], empty: null },
  dose: { kinds: ['medication'], empty: null },
  isWeightLoss: { kinds: ['medication'], empty: false },
  stopDays: { kinds: ['medication', 'nicotine'], empty: null },
  year: { kinds: ['surgery', 'implant'], empty: null },
  anaesthesia: { kinds: ['surgery'], empty: null },
} as const satisfies Record<string, { kinds: readonly EntryKind[]; empty: unknown }>
type OwnField = keyof typeof ownFields
const ownFieldNames = Object.keys(ownFields) as OwnField[]

export const hasField = (kind: EntryKind, field: OwnField): boolean => (ownFields[field].kinds as readonly EntryKind[]).includes(kind)

/** The given fields that an entry of this kind does not have. */
export const misplacedFields = (kind: EntryKind, fields: { [Field in OwnField]?: unknown }): OwnField[] =>
  ownFieldNames.filter((field) => !hasField(kind, field) && fields[field] !== undefined && fields[field] !== ownFields[field].empty)

/** A past surgery has happened; everything else applies until someone ends it. */
export const firstStatus = (kind: EntryKind): EntryStatus => (kind === 'surgery' ? 'past' : 'active')

interface Stated {
  kind: EntryKind
  status: EntryStatus
}
export const isActive = ({ status }: Pick<Stated, 'status'>): boolean => status === 'active'
export const activeOf = <Entry extends Stated>(entries: readonly Entry[], kind: EntryKind): Entry[] =>
  entries.filter((entry) => entry.kind === kind && isActive(entry))

const severityOrder = (severity: Severity | null): number => (severity === null ? severities.length : severities.indexOf(severity))
/** The most severe first. An unknown severity counts as severe until someone asks. */
export const bySeverity = (a: { severity: Severity | null }, b: { severity: Severity | null }): number =>
  severityOrder(b.severity) - severityOrder(a.severity)

/** 'Penicillin (anaphylaxis, 2014), Latex', the most severe first; 'No known allergies', or '' if no one has asked. */
export function formatAllergies(
  entries: readonly (Stated & { name: string; detail: string | null; severity: Severity | null })[],
  review: Pick<Review, 'activeEntries'> | null | undefined,
): string {
  const state = allergyState(entries, review)
  if (state !== 'listed') return state === 'none_known' ? 'No known allergies' : ''
  return activeOf(entries, 'allergy')
    .toSorted(bySeverity)
    .map(({ name, detail }) => (detail === null ? name : `${name} (${detail})`))
    .join(', ')
}

/** Whether two names mean the same: case, accents and punctuation aside. */
export const bySameName = (a: string, b: string): boolean => comparable(a) === comparable(b)

// Reviews

export interface Review {
  section: Section
  reviewedAt: Date
  /** How many entries of the section were active at that moment. */
  activeEntries: number
}

/**
 * What is known about allergies. `none_known`: someone reviewed the section while it was empty. Removing the last allergy does not mean
 * that: no one asked since.
 */
export function allergyState(
  entries: readonly Stated[],
  review: Pick<Review, 'activeEntries'> | null | undefined,
): 'listed' | 'none_known' | 'not_asked' {
  if (activeOf(entries, 'allergy').length > 0) return 'listed'
  return review?.activeEntries === 0 ? 'none_known' : 'not_asked'
}

/** How long before a case is booked a review still counts for its checklist, in days of 24 hours. */
export const reviewDays = 90
const day = 24 * 3600_000

/**
 * When these sections had all been reviewed for a case that was created and is to begin at these times, by the last review of each; null if
 * one is missing. Counts reviews from 90 days before the case was created until it begins.
 */
export function reviewedForCase(
  reviews: readonly Pick<Review, 'section' | 'reviewedAt'>[],
  wanted: readonly Section[],
  { createdAt, startsAt }: { createdAt: Date; startsAt: Date },
): Date | null {
  const from = createdAt.getTime() - reviewDays * day
  const last = wanted.map((section) =>
    Math.max(
      ...reviews
        .filter((review) => review.section === section)
        .map(({ reviewedAt }) => reviewedAt.getTime())
        .filter((at) => at >= from && at <= startsAt.getTime()),
    ),
  )
  const latest = Math.max(...last)
  return last.every(Number.isFinite) && Number.isFinite(latest) ? new Date(latest) : null
}

// Negatives

/** What a patient can report not to have. Those of allergies and medications are reviews of these sections. */
export const negativeTopics = ['conditions', 'surgeries', 'anaesthesia', 'family', 'nicotine', 'alcohol', 'pregnancy', 'implants'] as const
export type NegativeTopic = (typeof negativeTopics)[number]

/** The entries that a topic is about. `prefix`: how the names of its conditions begin, because their kind says too little. */
const topicEntries: Record<NegativeTopic, { kind: EntryKind; prefix?: string }> = {
  conditions: { kind: 'condition' },
  surgeries: { kind: 'surgery' },
  anaesthesia: { kind: 'condition', prefix: 'Anaesthesia: ' },
  family: { kind: 'condition', prefix: 'Family: ' },
  nicotine: { kind: 'nicotine' },
  alcohol: { kind: 'condition', prefix: 'Alcohol: ' },
  pregnancy: { kind: 'pregnancy' },
  implants: { kind: 'implant' },
}
export const prefixOf = (topic: NegativeTopic): string => topicEntries[topic].prefix ?? ''

/** Whether an entry says something about a topic. Conditions are those without the prefix of another topic. */
export function isAbout(topic: NegativeTopic, { kind, name }: { kind: EntryKind; name: string }): boolean {
  const about = topicEntries[topic]
  if (about.kind !== kind) return false
  if (about.prefix) return name.startsWith(about.prefix)
  return !negativeTopics.some((other) => other !== topic && topicEntries[other].kind === kind && name.startsWith(prefixOf(other)))
}

/** Whether an entry counts for what the chart says now: it is active, or a surgery that has happened. */
export const isPresent = ({ kind, status }: Stated): boolean => status === 'active' || (kind === 'surgery' && status === 'past')

/**
 * The negatives that still hold. An entry on the topic that applies, or that was added since and not in error, says otherwise: when it ends, no one has asked
 * again.
 */
export const heldNegatives = <Negative extends { topic: NegativeTopic; reviewedAt: Date | string }>(
  negatives: readonly Negative[],
  entries: readonly (Stated & { name: string; createdAt: Date | string })[],
): Negative[] =>
  negatives.filter(
    ({ topic, reviewedAt }) =>
      !entries.some(
        (entry) =>
          isAbout(topic, entry) &&
          (isPresent(entry) || (entry.status === 'past' && new Date(entry.createdAt).getTime() >= new Date(reviewedAt).getTime())),
      ),
  )

// Medications

interface Medication extends Stated {
  name: string
  dose: string | null
  isWeightLoss: boolean
}
/**
 * What the patient's field for weight-loss medication says while the chart lists one (spec 3). It names none: sales and the front desk see the
 * field, and not the chart.
 */
export const chartedWeightLoss = 'Listed in the chart'
export const hasWeightLoss = (entries: readonly (Stated & Pick<Medication, 'isWeightLoss'>)[]): boolean =>
  activeOf(entries, 'medication').some(({ isWeightLoss }) => isWeightLoss)

/** 'Semaglutide 0.5 mg weekly, Escitalopram'; 'None' if that was reviewed, or '' if no one has asked. */
export function formatMedications(entries: readonly Medication[], review: Pick<Review, 'activeEntries'> | null | undefined): string {
  const active = activeOf(entries, 'medication')
  return hasNoMedication(entries, review) ? 'None' : active.map(formatMedication).join(', ')
}

/** Whether someone has confirmed that the patient takes none. */
export const hasNoMedication = (entries: readonly Stated[], review: Pick<Review, 'activeEntries'> | null | undefined): boolean =>
  review?.activeEntries === 0 && activeOf(entries, 'medication').length === 0

/** 'Ibuprofen as needed' */
export const formatMedication = ({ name, dose }: Pick<Medication, 'name' | 'dose'>): string =>
  dose === null ? name : `${name} ${dose.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())}`

/** What to review before anaesthesia: active weight-loss medications, and those that have to be stopped. Null if there are none. */
export function medicationsToReview(entries: readonly (Medication & { stopDays: number | null })[]): string | null {
  const shown = activeOf(entries, 'medication').filter(({ isWeightLoss, stopDays }) => isWeightLoss || stopDays !== null)
  const texts = shown.map(({ name, stopDays }) => (stopDays === null ? name : `${name} (${formatStopDays(stopDays)})`))
  return texts.length === 0 ? null : texts.join(', ')
}

/** 'stop 14 days before surgery' */
export const formatStopDays = (days: number): string =>
  days === 0 ? 'stop on the day of surgery' : `stop ${days} ${days === 1 ? 'day' : 'days'} before surgery`

// Measurements

export interface Measured {
  heightCm: number | null
  /** With one decimal. */
  weightKg: number | null
  systolic: number | null
  diastolic: number | null
  bloodType: BloodType | null
  asaClass: number | null
}
export const measuredFields = [
  'heightCm',
  'weightKg',
  'systolic',
  'diastolic',
  'bloodType',
  'asaClass',
] as const satisfies readonly (keyof Measured)[]

/** The newest value of each. `measurements`: newest first. */
export function latestValues(measurements: readonly Measured[]): Measured {
  const newest = (field: keyof Measured) => measurements.find((one) => one[field] !== null)?.[field] ?? null
  return Object.fromEntries(measuredFields.map((field) => [field, newest(field)])) as unknown as Measured
}

/** Body mass index in kg/m², with one decimal; null without height and weight. */
export function bodyMassIndex({ heightCm, weightKg }: Pick<Measured, 'heightCm' | 'weightKg'>): number | null {
  if (heightCm === null || weightKg === null) return null
  // In whole tenths and centimetres, so that binary fractions do not decide how a half is rounded.
  return Math.round((Math.round(weightKg * 10) * 10_000) / (heightCm * heightCm)) / 10
}
