import type { Instalment } from '../collections/rules.ts'
import { type CartLine, shareOut, type Totals, totalsOf } from '../pos/rules.ts'

/** Types of quote lines. */
export const lineKinds = ['surgeon', 'facility', 'anaesthesia', 'implants', 'extras'] as const
export type LineKind = (typeof lineKinds)[number]

export const kindLabels: Record<LineKind, string> = {
  surgeon: 'Surgeon',
  facility: 'Facility',
  anaesthesia: 'Anaesthesia',
  implants: 'Implants',
  extras: 'Extras',
}

export const quoteStatuses = ['draft', 'sent', 'accepted', 'declined', 'superseded', 'withdrawn'] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

/** Displayed statuses: `expired` is derived from a sent quote's last valid day and never stored. */
export const shownStatuses = [...quoteStatuses, 'expired'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** Statuses that the patient may see. */
export const patientStatuses: readonly QuoteStatus[] = ['sent', 'accepted', 'declined']

/** 'Quote 1042', with the version number from the second version on. */
export const quoteName = ({ number, revision }: { number: number; revision: number }): string =>
  revision > 1 ? `Quote ${number}, version ${revision}` : `Quote ${number}`

interface Validity {
  status: QuoteStatus
  /** The last calendar day on which it can be accepted. */
  validUntil: string
}

/** `today`: a day in the practice's time zone. */
export const shownStatus = ({ status, validUntil }: Validity, today: string): ShownStatus =>
  status === 'sent' && validUntil < today ? 'expired' : status

/** Why a quote cannot be accepted; null when it can. */
export function refusalOfAcceptance(quote: Validity, today: string): 'EXPIRED' | 'SUPERSEDED' | 'NOT_OPEN' | null {
  const status = shownStatus(quote, today)
  if (status === 'expired') return 'EXPIRED'
  if (status === 'superseded') return 'SUPERSEDED'
  return status === 'sent' ? null : 'NOT_OPEN'
}

/** Default validity of a quote, in days. */
export const defaultValidity = 30

/** Statuses that a new version may replace: all but drafts, accepted and already replaced quotes. */
export const mayRevise = (status: QuoteStatus): boolean => status === 'sent' || status === 'declined' || status === 'withdrawn'

/** Statuses from which a quote may be withdrawn. */
export const mayWithdraw = (status: QuoteStatus): boolean => status === 'draft' || status === 'sent' || status === 'accepted'

export interface PaymentPlan {
  /** Due on the day of acceptance; 0: none. */
  depositCents: number
  instalments: readonly (Instalment & { name?: string | null })[]
}

/** Whether deposit and instalments sum to the total, to the cent. */
export const planSumsTo = ({ depositCents, instalments }: PaymentPlan, totalCents: number): boolean =>
  depositCents + sumOf(instalments) === totalCents

/**
 * The due dates of a quote accepted on a day: the deposit on that day, and nothing before it, because no one owes what they have not agreed to.
 * Amounts due on the same day are merged. Sums to the plan's total; earliest first.
 */
export function dueParts({ depositCents, instalments }: PaymentPlan, acceptedOn: string): Instalment[] {
  const byDay = new Map<string, number>()
  const add = (day: string, cents: number) => byDay.set(day, (byDay.get(day) ?? 0) + cents)
  if (depositCents > 0) add(acceptedOn, depositCents)
  for (const { dueOn, amountCents } of instalments) add(dueOn < acceptedOn ? acceptedOn : dueOn, amountCents)
  return [...byDay].map(([dueOn, amountCents]) => ({ dueOn, amountCents })).toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
}

/** Label of a due date relative to the surgery; null while the surgery has no date. Both are calendar days. */
export function timingLabel(dueOn: string, surgeryDay: string | null): string | null {
  if (surgeryDay === null) return null
  if (dueOn === surgeryDay) return 'on the day of surgery'
  return dueOn < surgeryDay ? 'before surgery' : 'after surgery'
}

/** Default name of the deposit. */
export const defaultDepositName = 'Deposit'

/** Default name of an instalment. */
export const defaultInstalmentName = ({ depositCents, instalments }: PaymentPlan, index: number): string =>
  instalments.length > 1 ? `Instalment ${index + 1} of ${instalments.length}` : depositCents > 0 ? 'Balance' : 'Full payment'

/** Labels of a quote's instalments, in order: 'Instalment 1 of 2, before surgery'. */
export const instalmentLabels = (plan: PaymentPlan, surgeryDay: string | null): string[] =>
  plan.instalments.map(({ name, dueOn }, index) =>
    [name ?? defaultInstalmentName(plan, index), timingLabel(dueOn, surgeryDay)].filter(Boolean).join(', '),
  )

/** A discount before tax. */
export interface Discount {
  /** In hundredths of a percent, from 1 to `discountLimit`; null: it is an amount. */
  discountPercent: number | null
  /** The discount amount. */
  discountCents: number
}
/** The maximum percentage of a discount: 100% would leave nothing to pay. */
export const discountLimit = 9_999
export const noDiscount: Discount = { discountPercent: null, discountCents: 0 }

/** 'Discount, 10%'; 'Discount' for an amount. */
export const discountLabel = ({ discountPercent }: Pick<Discount, 'discountPercent'>): string =>
  discountPercent === null ? 'Discount' : `Discount, ${discountPercent / 100}%`

/**
 * The totals of a quote, computed like a receipt so that the paid amount equals the quoted one (see pos/rules.ts). A percentage works as on a receipt.
 * An amount is split over the lines in proportion, in whole cents that sum to it, and each line is taxed on the rest, so a
 * receipt of the reduced lines has the same total. An amount above the subtotal is capped at the subtotal.
 */
export function quoteTotals(lines: readonly CartLine[], { discountPercent, discountCents }: Discount = noDiscount): Totals {
  if (discountPercent !== null) return totalsOf(lines, discountPercent)
  const full = totalsOf(lines, 0)
  if (discountCents === 0 || full.subtotal === 0) return full
  const discount = Math.min(discountCents, full.subtotal)
  const left = netAmounts(
    full.lines.map(({ amount }) => amount),
    discount,
  )
  const net = totalsOf(
    lines.map((line, index) => ({ ...line, unitPrice: left[index]!, quantity: 1 })),
    0,
  )
  return {
    ...net,
    lines: full.lines.map(({ amount }, index) => ({ amount, tax: net.lines[index]!.tax })),
    subtotal: full.subtotal,
    discount,
  }
}

/** The amounts after a discount in cents of at most their sum; they sum to the rest, to the cent. */
export function netAmounts(amounts: readonly number[], discountCents: number): number[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  if (sum === 0) return [...amounts]
  return shareOut(
    amounts.map((amount) => BigInt(amount) * BigInt(sum - discountCents)),
    BigInt(sum),
    sum - discountCents,
  )
}

interface Revenue {
  /** Before discount and tax. */
  subtotalCents: number
  discountCents: number
}
interface PricedBy extends Revenue {
  /** The case's price before its first quote was accepted. */
  priceBeforeCents: number | null
}

/** Before tax: tax is not revenue. */
const revenueOf = ({ subtotalCents, discountCents }: Revenue): number => subtotalCents - discountCents

/** A case's price by its accepted quotes, before tax. `others`: those accepted before. */
export const priceWith = (quote: Revenue, others: readonly Revenue[]): number =>
  [quote, ...others].reduce((sum, one) => sum + revenueOf(one), 0)

/**
 * A case's price after an accepted quote is withdrawn: the sum of the others, or the original price if there are none. A price that
 * someone has entered since stays.
 */
export function priceWithout(priceCents: number | null, gone: PricedBy, others: readonly PricedBy[]): number | null {
  if (priceCents !== priceWith(gone, others)) return priceCents
  return others.length > 0 ? priceCents - revenueOf(gone) : gone.priceBeforeCents
}

const sumOf = (parts: readonly Instalment[]): number => parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
