import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { parseISO } from 'date-fns/parseISO'

/**
 * What can be written into a patient's ledger. A charge is what they are to pay; everything else names a charge and takes from it, but for
 * `release`, which gives back what a payment took.
 */
export const entryKinds = ['charge', 'payment', 'release', 'write_off', 'void'] as const
export type EntryKind = (typeof entryKinds)[number]

/** What can be noted about what a patient owes: what was agreed, and that they were reminded. */
export const noteKinds = ['promise', 'hold', 'release', 'reminder'] as const
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
  /** The day of the surgery that it is for; null: there is none yet. */
  surgeryDay: string | null
  /** Sums to the amount; empty when it is due at once. */
  plan: readonly Instalment[]
  /** What has been paid, written off or made void of it. */
  creditedCents: number
}

/** What is still to be paid of a charge by a day. */
export type Portion = { chargeId: string; dueOn: string; openCents: number; isBeforeSurgery: boolean }

/** Whether what is due on a day of a charge that has to be paid before surgery is due before it: nothing that is due later is. */
export const isDueBeforeSurgery = (
  { isBeforeSurgery, surgeryDay }: Pick<Charge, 'isBeforeSurgery' | 'surgeryDay'>,
  dueOn: string,
): boolean => isBeforeSurgery && (surgeryDay === null || dueOn <= surgeryDay)

/** The open portions of a charge, the earliest first: what has been paid covers the earliest instalments. */
export function portionsOf(charge: Charge): Portion[] {
  const { id, amountCents, dueOn, plan, creditedCents } = charge
  const parts = plan.length > 0 ? plan.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn)) : [{ dueOn, amountCents }]
  let covered = creditedCents
  return parts.flatMap((part) => {
    const paid = Math.min(covered, part.amountCents)
    covered -= paid
    const openCents = part.amountCents - paid
    return openCents > 0 ? [{ chargeId: id, dueOn: part.dueOn, openCents, isBeforeSurgery: isDueBeforeSurgery(charge, part.dueOn) }] : []
  })
}

/**
 * Whether a surgery waits for what is owed: the last word on that says so, and something is owed. `notes`: what was agreed, the latest first.
 * Once all is paid no one needs to let it go.
 */
export const isHeld = (notes: readonly { kind: NoteKind }[], balanceCents: number): boolean =>
  balanceCents > 0 && notes.find(({ kind }) => kind === 'hold' || kind === 'release')?.kind === 'hold'

/** What comes first to anyone who collects: what is due before a surgery, then what is due the longest. */
export const byUrgency = (a: Portion, b: Portion): number =>
  Number(b.isBeforeSurgery) - Number(a.isBeforeSurgery) || a.dueOn.localeCompare(b.dueOn) || a.chargeId.localeCompare(b.chargeId)

/** How late an amount is, in whole days; labels of a list, a file and a statement alike. */
export const ageLabels = {
  current: 'Current',
  days1to30: '1–30 days',
  days31to60: '31–60 days',
  days61to90: '61–90 days',
  over90: '90+ days',
} as const
export type Age = keyof typeof ageLabels
export const ages = Object.keys(ageLabels) as [Age, ...Age[]]
export type Ageing = Record<Age, number>

/** Whole days since an amount was due, on the practice's calendar; negative while it is not due yet. */
export const daysLate = (dueOn: string, today: string): number => differenceInCalendarDays(parseISO(today), parseISO(dueOn))

/** What is due today is current; it is late from the day after on. */
export function ageOf(dueOn: string, today: string): Age {
  const late = daysLate(dueOn, today)
  if (late <= 0) return 'current'
  if (late <= 30) return 'days1to30'
  if (late <= 60) return 'days31to60'
  return late <= 90 ? 'days61to90' : 'over90'
}

/** Cents by how late each instalment is on a day. */
export function ageingOf(portions: readonly Portion[], today: string): Ageing {
  const sums: Ageing = { current: 0, days1to30: 0, days31to60: 0, days61to90: 0, over90: 0 }
  for (const { dueOn, openCents } of portions) sums[ageOf(dueOn, today)] += openCents
  return sums
}

/**
 * What of a receipt is a credit of the patient. Only money that was taken as a deposit is, and what a charge has left of a payment that was taken
 * for it or applied to it. A sale pays for its own items.
 */
export const creditOf = (receipt: { isDeposit: boolean; isForCharge: boolean; leftCents: number }): number =>
  receipt.isDeposit || receipt.isForCharge ? receipt.leftCents : 0

/** How a payment of so many cents is spread over what is open, the most urgent first. What is left over stays with the receipt. */
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
