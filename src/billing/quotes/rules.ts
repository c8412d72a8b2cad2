import type { Instalment } from '../collections/rules.ts'
import { type CartLine, shareOut, type Totals, totalsOf } from '../pos/rules.ts'

/** What a surgery is paid for by (issue 8). */
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

/** What is shown: one that was sent and is no longer valid is expired, which no one has to write. */
export const shownStatuses = [...quoteStatuses, 'expired'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** Those that the patient whom they are for may see. */
export const patientStatuses: readonly QuoteStatus[] = ['sent', 'accepted', 'declined']

/** 'Quote 1042', and from the second version on which one. */
export const quoteName = ({ number, revision }: { number: number; revision: number }): string =>
  revision > 1 ? `Quote ${number}, version ${revision}` : `Quote ${number}`

interface Validity {
  status: QuoteStatus
  /** The last calendar day on which it can be accepted. */
  validUntil: string
}

/** `today`: on the practice's calendar. */
export const shownStatus = ({ status, validUntil }: Validity, today: string): ShownStatus =>
  status === 'sent' && validUntil < today ? 'expired' : status

/** Why a quote cannot be accepted; null when it can. */
export function refusalOfAcceptance(quote: Validity, today: string): 'EXPIRED' | 'SUPERSEDED' | 'NOT_OPEN' | null {
  const status = shownStatus(quote, today)
  if (status === 'expired') return 'EXPIRED'
  if (status === 'superseded') return 'SUPERSEDED'
  return status === 'sent' ? null : 'NOT_OPEN'
}

/** Days for which a quote is valid, unless someone says otherwise. */
export const defaultValidity = 30

/** What may be replaced by a new version: all that is neither still being written, nor agreed on, nor replaced already. */
export const mayRevise = (status: QuoteStatus): boolean => status === 'sent' || status === 'declined' || status === 'withdrawn'

/** What is over without having been accepted stays over. */
export const mayWithdraw = (status: QuoteStatus): boolean => status === 'draft' || status === 'sent' || status === 'accepted'

export interface PaymentPlan {
  /** Due on the day on which the quote is accepted; 0: nothing is. */
  depositCents: number
  instalments: readonly (Instalment & { name?: string | null })[]
}

/** Whether deposit and instalments come to the total, to the cent. */
export const planComesTo = ({ depositCents, instalments }: PaymentPlan, totalCents: number): boolean =>
  depositCents + sumOf(instalments) === totalCents

/**
 * When what was quoted is due once it is accepted: the deposit on that day, and nothing before it, as no one owes what they have not agreed to.
 * What falls on one day is one instalment. Sums to what the plan comes to; earliest first.
 */
export function dueParts({ depositCents, instalments }: PaymentPlan, acceptedOn: string): Instalment[] {
  const byDay = new Map<string, number>()
  const add = (day: string, cents: number) => byDay.set(day, (byDay.get(day) ?? 0) + cents)
  if (depositCents > 0) add(acceptedOn, depositCents)
  for (const { dueOn, amountCents } of instalments) add(dueOn < acceptedOn ? acceptedOn : dueOn, amountCents)
  return [...byDay].map(([dueOn, amountCents]) => ({ dueOn, amountCents })).toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
}

/** When something is due, for people, relative to the surgery; null while the surgery has no date. Both are calendar days. */
export function timingLabel(dueOn: string, surgeryDay: string | null): string | null {
  if (surgeryDay === null) return null
  if (dueOn === surgeryDay) return 'on the day of surgery'
  return dueOn < surgeryDay ? 'before surgery' : 'after surgery'
}

/** The name of the deposit unless the quote has another one. */
export const defaultDepositName = 'Deposit'

/** The name of an instalment unless the quote has another one. */
export const defaultInstalmentName = ({ depositCents, instalments }: PaymentPlan, index: number): string =>
  instalments.length > 1 ? `Instalment ${index + 1} of ${instalments.length}` : depositCents > 0 ? 'Balance' : 'Full payment'

/** What the instalments of a quote are called, in their order: 'Instalment 1 of 2, before surgery'. */
export const instalmentLabels = (plan: PaymentPlan, surgeryDay: string | null): string[] =>
  plan.instalments.map(({ name, dueOn }, index) =>
    [name ?? defaultInstalmentName(plan, index), timingLabel(dueOn, surgeryDay)].filter(Boolean).join(', '),
  )

/** What is taken off a quote before tax. */
export interface Discount {
  /** In hundredths of a percent, from 1 to `discountLimit`; null: it is an amount. */
  discountPercent: number | null
  /** What it comes to. */
  discountCents: number
}
/** The largest percentage of a discount: all of it would leave nothing to pay. */
export const discountLimit = 9_999
export const noDiscount: Discount = { discountPercent: null, discountCents: 0 }

/** 'Discount, 10%'; of an amount 'Discount'. */
export const discountLabel = ({ discountPercent }: Pick<Discount, 'discountPercent'>): string =>
  discountPercent === null ? 'Discount' : `Discount, ${discountPercent / 100}%`

/**
 * What a quote comes to: the arithmetic of a receipt, so that what is paid later is what was quoted (see pos/rules.ts). A percentage is a receipt's.
 * An amount is shared out over the lines by what they come to, in whole cents that sum to it, and each line is taxed on what that leaves; so a
 * receipt whose lines cost what is left comes to the same. An amount of more than the subtotal takes off the subtotal.
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

/** What a discount of so many cents leaves of each amount; it is at most their sum, and sums to what is left to the cent. */
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
  /** What the case cost before the first quote of it was accepted. */
  priceBeforeCents: number | null
}

/** Before tax: tax is no revenue. */
const revenueOf = ({ subtotalCents, discountCents }: Revenue): number => subtotalCents - discountCents

/** What a case costs by the quotes of it that are accepted, before tax. `others`: those that were accepted before. */
export const priceWith = (quote: Revenue, others: readonly Revenue[]): number =>
  [quote, ...others].reduce((sum, one) => sum + revenueOf(one), 0)

/**
 * What a case costs once an accepted quote of it is withdrawn: what the others come to, and without any what it cost before. A price that
 * someone has typed since stays.
 */
export function priceWithout(priceCents: number | null, gone: PricedBy, others: readonly PricedBy[]): number | null {
  if (priceCents !== priceWith(gone, others)) return priceCents
  return others.length > 0 ? priceCents - revenueOf(gone) : gone.priceBeforeCents
}

const sumOf = (parts: readonly Instalment[]): number => parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
