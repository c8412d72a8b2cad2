import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { parseISO } from 'date-fns/parseISO'

/**
 * What can be written into a patient's ledger. A charge is what they are to pay; everything else names a charge and takes from it, but for
 * `release`, which gives back what a payment took.
 */
export const entryKinds = ['charge', 'payment', 'release', 'write_off', 'void'] as const
export type EntryKind = (typeof entryKinds)[number]

/** What can be agreed about what a patient owes. */
export const noteKinds = ['promise', 'hold', 'release'] as const
export type NoteKind = (typeof noteKinds)[number]

export const chargeSources = ['staff', 'quote'] as const
export type ChargeSource = (typeof chargeSources)[number]

export type Instalment = {
  /** A calendar day. */
  dueOn: string
  amountCents: number
}

export type Charge = {
  id: string
  amountCents: number
  dueOn: string
  isBeforeSurgery: boolean
  /** Sums to the amount; empty when it is due at once. */
  plan: readonly Instalment[]
  /** What has been paid, written off or made void of it. */
  creditedCents: number
}

/** What is still to be paid of a charge by a day. */
export type Portion = { chargeId: string; dueOn: string; openCents: number; isBeforeSurgery: boolean }

/** The open portions of a charge, the earliest first: what has been paid covers the earliest instalments. */
export function portionsOf({ id, amountCents, dueOn, isBeforeSurgery, plan, creditedCents }: Charge): Portion[] {
  const parts = plan.length > 0 ? plan.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn)) : [{ dueOn, amountCents }]
  let covered = creditedCents
  return parts.flatMap((part) => {
    const paid = Math.min(covered, part.amountCents)
    covered -= paid
    const openCents = part.amountCents - paid
    return openCents > 0 ? [{ chargeId: id, dueOn: part.dueOn, openCents, isBeforeSurgery }] : []
  })
}

/**
 * Whether a surgery waits for what is owed: the last word on that says so, and something is owed. `notes`: what was agreed, the latest first.
 * Once all is paid nobody needs to let it go.
 */
export const isHeld = (notes: readonly { kind: NoteKind }[], balanceCents: number): boolean =>
  balanceCents > 0 && notes.find(({ kind }) => kind !== 'promise')?.kind === 'hold'

/** What comes first to whoever collects: what is due before a surgery, then what is due the longest. */
export const byUrgency = (a: Portion, b: Portion): number =>
  Number(b.isBeforeSurgery) - Number(a.isBeforeSurgery) || a.dueOn.localeCompare(b.dueOn) || a.chargeId.localeCompare(b.chargeId)

/** Days late at the least. What is not due yet is current. */
export const ages = { current: null, days30: 30, days60: 60, days90: 90 } as const
export type Ageing = Record<keyof typeof ages, number>

/** What is not 30 days late is current. */
export const ageLabels: Record<keyof Ageing, string> = {
  current: 'Current',
  days30: '30–59 days',
  days60: '60–89 days',
  days90: '90+ days',
}

/** Cents by how late they are on a day. */
export function ageingOf(portions: readonly Portion[], today: string): Ageing {
  const sums: Ageing = { current: 0, days30: 0, days60: 0, days90: 0 }
  for (const { dueOn, openCents } of portions) {
    const late = differenceInCalendarDays(parseISO(today), parseISO(dueOn))
    sums[late >= 90 ? 'days90' : late >= 60 ? 'days60' : late >= 30 ? 'days30' : 'current'] += openCents
  }
  return sums
}

/** How a payment of so many cents is spread over what is open, the most urgent first. What is left over stays with the receipt, as a deposit. */
export function spread(portions: readonly Portion[], cents: number): { chargeId: string; amountCents: number }[] {
  const byCharge = new Map<string, number>()
  let left = cents
  for (const { chargeId, openCents } of portions.toSorted(byUrgency)) {
    const taken = Math.min(left, openCents)
    if (taken > 0) byCharge.set(chargeId, (byCharge.get(chargeId) ?? 0) + taken)
    left -= taken
  }
  return [...byCharge].map(([chargeId, amountCents]) => ({ chargeId, amountCents }))
}

/** Whether a plan is one for this amount. */
export const sumsTo = (plan: readonly Instalment[], amountCents: number): boolean =>
  plan.reduce((sum, part) => sum + part.amountCents, 0) === amountCents
