import { daysFrom } from '../../shared/zoned-time.ts'

/**
 * Kinds of ledger entries. A charge adds to the balance; every other entry credits a charge, except
 * `release`, which reverses a payment.
 */
export const entryKinds = ['charge', 'payment', 'release', 'write_off', 'void'] as const
export type EntryKind = (typeof entryKinds)[number]

/** Kinds of collection notes: agreements with the patient, and reminders sent. */
export const noteKinds = ['promise', 'hold', 'release', 'reminder'] as const
export type NoteKind = (typeof noteKinds)[number]

export const chargeSources = ['staff', 'quote', 'fee'] as const
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
  /** The day of the surgery that the charge is for; null: none is booked yet. */
  surgeryDay: string | null
  /** Instalments that sum to the amount; empty when all of it is due on `dueOn`. */
  plan: readonly Instalment[]
  /** The amount paid, written off or voided. */
  creditedCents: number
}

/** The unpaid part of a charge that is due on one day. */
export type Portion = { chargeId: string; dueOn: string; openCents: number; isBeforeSurgery: boolean }

/** Whether an amount due on `dueOn` is due before surgery. Amounts of a before-surgery charge that are due after the surgery are not. */
export const isDueBeforeSurgery = (
  { isBeforeSurgery, surgeryDay }: Pick<Charge, 'isBeforeSurgery' | 'surgeryDay'>,
  dueOn: string,
): boolean => isBeforeSurgery && (surgeryDay === null || dueOn <= surgeryDay)

/** The open portions of a charge, earliest first. Payments cover the earliest instalments. */
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
 * Whether a surgery is on hold: the latest hold or release note is a hold, and there is a balance. `notes`: newest first.
 * A paid balance ends the hold by itself, so no release note is needed.
 */
export const isHeld = (notes: readonly { kind: NoteKind }[], balanceCents: number): boolean =>
  balanceCents > 0 && notes.find(({ kind }) => kind === 'hold' || kind === 'release')?.kind === 'hold'

/** Sorts by collection priority: due before surgery first, then the earliest due date. */
export const byUrgency = (a: Portion, b: Portion): number =>
  Number(b.isBeforeSurgery) - Number(a.isBeforeSurgery) || a.dueOn.localeCompare(b.dueOn) || a.chargeId.localeCompare(b.chargeId)

/** Ageing buckets in whole days late; the list, the export and the statement share these labels. */
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

/** Whole days since the due date in the practice's time zone; negative before it. */
export const daysLate = (dueOn: string, today: string): number => daysFrom(dueOn, today)

/** An amount due today is current; it is late from the next day. */
export function ageOf(dueOn: string, today: string): Age {
  const late = daysLate(dueOn, today)
  if (late <= 0) return 'current'
  if (late <= 30) return 'days1to30'
  if (late <= 60) return 'days31to60'
  return late <= 90 ? 'days61to90' : 'over90'
}

/** Cents per ageing bucket on a day. */
export function ageingOf(portions: readonly Portion[], today: string): Ageing {
  const sums: Ageing = { current: 0, days1to30: 0, days31to60: 0, days61to90: 0, over90: 0 }
  for (const { dueOn, openCents } of portions) sums[ageOf(dueOn, today)] += openCents
  return sums
}

/**
 * The patient credit in a receipt, in cents: a deposit's unapplied amount, or what is left of a payment that was taken
 * for a charge or applied to one. A plain sale pays for its own items and leaves no credit.
 */
export const creditOf = (receipt: { isDeposit: boolean; isForCharge: boolean; leftCents: number }): number =>
  receipt.isDeposit || receipt.isForCharge ? receipt.leftCents : 0

/** Allocates cents to open portions, most urgent first. Any excess stays on the receipt. */
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

/** What stays open, in the same order, once cents are applied to these portions, most urgent first. */
export function remaining<One extends Portion>(portions: readonly One[], cents: number): One[] {
  const taken = new Map<One, number>()
  let left = cents
  for (const portion of portions.toSorted(byUrgency)) {
    const part = Math.min(left, portion.openCents)
    left -= part
    taken.set(portion, part)
  }
  return portions
    .map((portion) => ({ ...portion, openCents: portion.openCents - taken.get(portion)! }))
    .filter(({ openCents }) => openCents > 0)
}

/** Whether a plan's instalments sum to this amount. */
export const sumsTo = (plan: readonly Instalment[], amountCents: number): boolean =>
  plan.reduce((sum, part) => sum + part.amountCents, 0) === amountCents
