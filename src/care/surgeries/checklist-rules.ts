import type { Role } from '../../kernel/access/rules.ts'
import { reviewDays } from '../../chart/health/rules.ts'

export const itemKinds = [
  'consents',
  'balance',
  'specialist',
  'labs',
  'history',
  'medication',
  'pre_op_visit',
  'driver',
  'post_op_visit',
  'other',
] as const
export type ItemKind = (typeof itemKinds)[number]

/** Item types that complete automatically, and when. Consents do if a consent form applies to the case; otherwise they are ticked by hand. */
export const completionRules = {
  consents: 'Completes when every consent form that the surgery requires is signed, and countersigned where needed',
  balance: 'Completes when the pre-surgery balance is paid',
  specialist: 'Completes when the patient’s record says that the specialist’s results were received',
  pre_op_visit: 'Completes when a pre-op visit before the surgery is completed',
  post_op_visit: 'Completes when a post-op visit after the surgery is completed',
  history: `Completes when allergies, medications and history are reviewed in the chart, at most ${reviewDays} days before the surgery was booked`,
  medication: `Completes when the medications are reviewed in the chart, at most ${reviewDays} days before the surgery was booked`,
} as const satisfies Partial<Record<ItemKind, string>>
/** Where no consent form applies, someone has to see to it that the paper is signed. */
const byHandRule = 'No published consent form covers this surgery. Tick it once the consents are signed on paper'
const heldBalanceRule = 'Collections holds the surgery. Completes when the patient owes nothing, or when the hold is released'
type Automatic = keyof typeof completionRules
export const isAutomatic = (kind: ItemKind): kind is Automatic => kind in completionRules

/** The most days before or after the surgery. */
export const maxDays = 365

/** An item as stored. */
export interface StoredItem {
  id: string
  kind: ItemKind
  words: string
  ownerRole: Role
  dueDays: number
  /** A calendar day, 'yyyy-MM-dd'. */
  dueOn: string
  isRequired: boolean
  doneOn: string | null
  doneBy: string | null
  note: string | null
}

/** Facts that automatic items depend on. */
export interface Facts {
  requiresSpecialistConsult: boolean
  specialistConsultType: string | null
  specialistResultsReceived: boolean
  specialistResultsDate: string | null
  /** Weight-loss medication and what to stop, as far as the reader may see it. */
  medications: string | null
  /** By stage, surgical date or revenue (spec 4). */
  isSurgeryBooked: boolean
  /** Cents due by the surgery, or everything outstanding while the surgery is held. */
  owedCents: number
  /** Collections holds the surgery until everything is paid. */
  isHeld: boolean
  /** Days of the completed pre-op and post-op visits. */
  preOpOn: string | null
  postOpOn: string | null
  /** Days on which the chart's sections, and its medications, had been reviewed for this case. */
  historyReviewedOn: string | null
  medicationsReviewedOn: string | null
  /** Whether a consent form applies to the case, and the day on which the last one came into force; null while one is missing. */
  requiresConsents: boolean
  consentsOn: string | null
}

/** An item with its detail and state. */
export interface ShownItem extends StoredItem {
  /** The specialist, or the medications to review. */
  detail: string | null
  /** Completes by itself and cannot be ticked. */
  isAutomatic: boolean
  isDone: boolean
  /** What an open item needs to complete, if it completes by itself, or why it does not. */
  outstanding: string | null
  /** The surgery is not ready without it. */
  isMissing: boolean
}

/** The visible items of a case. The specialist item is visible while a consult is required and surgery is booked (spec 4). */
export const shownItems = (items: readonly StoredItem[], facts: Facts): ShownItem[] =>
  items
    .filter(({ kind }) => kind !== 'specialist' || (facts.requiresSpecialistConsult && facts.isSurgeryBooked))
    .map((item) => {
      const isByItself = completesItself(item, facts)
      const automatic = isByItself ? automaticCompletion(item.kind, facts) : null
      const done = automatic ?? { isDone: item.doneOn !== null, doneOn: item.doneOn }
      const isHeld = item.kind === 'balance' && facts.isHeld
      return {
        ...item,
        ...done,
        doneBy: automatic ? null : item.doneBy,
        detail: detailOf(item.kind, facts),
        isAutomatic: automatic !== null,
        outstanding: done.isDone ? null : outstandingOf(item, isByItself, isHeld),
        // The balance is never optional while collections holds the surgery.
        isMissing: (isHeld || (item.isRequired && item.dueDays <= 0)) && !done.isDone,
      }
    })

function outstandingOf({ kind }: StoredItem, isByItself: boolean, isHeld: boolean): string | null {
  if (isByItself && isAutomatic(kind)) return isHeld ? heldBalanceRule : completionRules[kind]
  return kind === 'consents' ? byHandRule : null
}

/**
 * Whether the item completes automatically. One that someone ticked before its type did keeps that tick until it is unticked, except for consents:
 * a tick must not stand in for a consent that is missing.
 */
export const completesItself = <Item extends Pick<StoredItem, 'kind' | 'doneOn'>>(
  item: Item,
  { requiresConsents }: Pick<Facts, 'requiresConsents'>,
): item is Item & { kind: Automatic } => (item.kind === 'consents' ? requiresConsents : isAutomatic(item.kind) && item.doneOn === null)

function automaticCompletion(kind: Automatic, facts: Facts): { isDone: boolean; doneOn: string | null } {
  switch (kind) {
    case 'consents':
      return { isDone: facts.consentsOn !== null, doneOn: facts.consentsOn }
    case 'balance':
      return { isDone: facts.owedCents === 0, doneOn: null }
    case 'specialist':
      return { isDone: facts.specialistResultsReceived, doneOn: facts.specialistResultsReceived ? facts.specialistResultsDate : null }
    case 'pre_op_visit':
      return { isDone: facts.preOpOn !== null, doneOn: facts.preOpOn }
    case 'post_op_visit':
      return { isDone: facts.postOpOn !== null, doneOn: facts.postOpOn }
    case 'history':
      return { isDone: facts.historyReviewedOn !== null, doneOn: facts.historyReviewedOn }
    case 'medication':
      return { isDone: facts.medicationsReviewedOn !== null, doneOn: facts.medicationsReviewedOn }
  }
}

function detailOf(kind: ItemKind, { specialistConsultType, medications }: Facts): string | null {
  if (kind === 'specialist') return specialistConsultType
  return kind === 'medication' ? medications : null
}

/** Identifies duplicate items within a checklist. */
export const itemKey = ({ kind, words }: { kind: ItemKind; words: string }): string => `${kind} ${words.toLowerCase()}`
