import type { Role } from '../../kernel/access/rules.ts'

export const itemKinds = [
  'consents', 'balance', 'specialist', 'labs', 'history', 'medication', 'pre_op_visit', 'driver', 'post_op_visit', 'other',
] as const // biome-ignore format: a list reads better in rows
export type ItemKind = (typeof itemKinds)[number]

/** Kinds that are done by what happens elsewhere, and why no one can tick one. */
export const doneByItself = {
  balance: 'Completes when the pre-surgery balance is paid',
  specialist: 'Completes when the patient’s record says that the specialist’s results were received',
  pre_op_visit: 'Completes when a pre-op visit before the surgery is completed',
  post_op_visit: 'Completes when a post-op visit after the surgery is completed',
} as const satisfies Partial<Record<ItemKind, string>>
const doneWhileHeld = 'Collections holds the surgery. Completes when the patient owes nothing, or when the hold is released'
type Automatic = keyof typeof doneByItself
export const isAutomatic = (kind: ItemKind): kind is Automatic => kind in doneByItself

/** Days from the surgery at most; before it negative. */
export const maxDays = 365

/** An item as it is stored with its case. */
export interface StoredItem {
  id: string
  kind: ItemKind
  words: string
  ownerRole: Role
  dueDays: number
  /** A calendar day. */
  dueOn: string
  isRequired: boolean
  doneOn: string | null
  doneBy: string | null
  note: string | null
}

/** What an item is done by where no one ticks it. */
export interface Facts {
  requiresSpecialistConsult: boolean
  specialistConsultType: string | null
  specialistResultsReceived: boolean
  specialistResultsDate: string | null
  weightLossMedication: string | null
  /** Spec 4: the stage says so, or a surgical date or revenue exists. */
  isSurgeryBooked: boolean
  /** Cents that are due by the surgery; all that is owed while it is held. */
  owedCents: number
  /** Collections let the surgery wait for all that is owed. */
  isHeld: boolean
  /** Days of the completed visits before and after this surgery. */
  preOpOn: string | null
  postOpOn: string | null
}

/** An item as it is shown: what it is about besides its words, and whether it is done. */
export interface ShownItem extends StoredItem {
  /** The specialist, or the medication for losing weight that is to be looked at. */
  detail: string | null
  isAutomatic: boolean
  isDone: boolean
  /** What it is done by, of one that is open and that no one can tick. */
  waitsFor: string | null
  /** The surgery waits for it. */
  isMissing: boolean
}

/** The items that a case shows. That for a specialist is there while a consult is required and surgery is booked (spec 4). */
export const shownItems = (items: readonly StoredItem[], facts: Facts): ShownItem[] =>
  items
    .filter(({ kind }) => kind !== 'specialist' || (facts.requiresSpecialistConsult && facts.isSurgeryBooked))
    .map((item) => {
      const done = isAutomatic(item.kind) ? automaticallyDone(item.kind, facts) : { isDone: item.doneOn !== null, doneOn: item.doneOn }
      const isHeld = item.kind === 'balance' && facts.isHeld
      return {
        ...item,
        ...done,
        detail: detailOf(item.kind, facts),
        isAutomatic: isAutomatic(item.kind),
        waitsFor: isAutomatic(item.kind) && !done.isDone ? (isHeld ? doneWhileHeld : doneByItself[item.kind]) : null,
        // What collections hold a surgery for is not optional.
        isMissing: (isHeld || (item.isRequired && item.dueDays <= 0)) && !done.isDone,
      }
    })

function automaticallyDone(kind: Automatic, facts: Facts): { isDone: boolean; doneOn: string | null } {
  switch (kind) {
    case 'balance':
      return { isDone: facts.owedCents === 0, doneOn: null }
    case 'specialist':
      return { isDone: facts.specialistResultsReceived, doneOn: facts.specialistResultsReceived ? facts.specialistResultsDate : null }
    case 'pre_op_visit':
      return { isDone: facts.preOpOn !== null, doneOn: facts.preOpOn }
    case 'post_op_visit':
      return { isDone: facts.postOpOn !== null, doneOn: facts.postOpOn }
  }
}

function detailOf(kind: ItemKind, { specialistConsultType, weightLossMedication }: Facts): string | null {
  if (kind === 'specialist') return specialistConsultType
  return kind === 'medication' ? weightLossMedication : null
}

/** What two items have in common that a case needs once only. */
export const keyOf = ({ kind, words }: { kind: ItemKind; words: string }): string => `${kind} ${words.toLowerCase()}`
