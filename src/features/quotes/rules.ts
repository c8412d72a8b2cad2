import type { Instalment } from '../collections/rules.ts'
import { type CartLine, type Totals, totalsOf } from '../pos/rules.ts'

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

/** What is shown: one that was sent and is not valid any more is expired, which nobody has to write. */
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

/** Days for which a quote is valid, unless somebody says otherwise. */
export const usualValidity = 30

/** What may be replaced by a new version: all that is neither still being written, nor agreed on, nor replaced already. */
export const mayRevise = (status: QuoteStatus): boolean => status === 'sent' || status === 'declined' || status === 'withdrawn'

/** What is over without having been accepted stays over. */
export const mayWithdraw = (status: QuoteStatus): boolean => status === 'draft' || status === 'sent' || status === 'accepted'

export interface PaymentPlan {
  /** Due on the day on which the quote is accepted; 0: nothing is. */
  depositCents: number
  instalments: readonly Instalment[]
}

/** Whether deposit and instalments come to the total, to the cent. */
export const planComesTo = ({ depositCents, instalments }: PaymentPlan, totalCents: number): boolean =>
  depositCents + sumOf(instalments) === totalCents

/**
 * When what was quoted is due once it is accepted: the deposit on that day, and nothing before it, as nobody owes what they have not agreed to.
 * What falls on one day is one instalment. Sums to what the plan comes to; earliest first.
 */
export function dueParts({ depositCents, instalments }: PaymentPlan, acceptedOn: string): Instalment[] {
  const byDay = new Map<string, number>()
  const add = (day: string, cents: number) => byDay.set(day, (byDay.get(day) ?? 0) + cents)
  if (depositCents > 0) add(acceptedOn, depositCents)
  for (const { dueOn, amountCents } of instalments) add(dueOn < acceptedOn ? acceptedOn : dueOn, amountCents)
  return [...byDay].map(([dueOn, amountCents]) => ({ dueOn, amountCents })).toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
}

/** What a quote comes to: the arithmetic of a receipt without a discount, so that what is paid later is what was quoted (see pos/rules.ts). */
export const quoteTotals = (lines: readonly CartLine[]): Totals => totalsOf(lines, 0)

interface PricedBy {
  /** Before tax. */
  subtotalCents: number
  /** What the case cost before the first quote of it was accepted. */
  priceBeforeCents: number | null
}

/** What a case costs by the quotes of it that are accepted, before tax: tax is no revenue. `others`: those that were accepted before. */
export const priceWith = (quote: Pick<PricedBy, 'subtotalCents'>, others: readonly Pick<PricedBy, 'subtotalCents'>[]): number =>
  [quote, ...others].reduce((sum, { subtotalCents }) => sum + subtotalCents, 0)

/**
 * What a case costs once an accepted quote of it is withdrawn: what the others come to, and without any what it cost before. A price that
 * somebody has typed since stays.
 */
export function priceWithout(priceCents: number | null, gone: PricedBy, others: readonly PricedBy[]): number | null {
  if (priceCents !== priceWith(gone, others)) return priceCents
  return others.length > 0 ? priceCents - gone.subtotalCents : gone.priceBeforeCents
}

const sumOf = (parts: readonly Instalment[]): number => parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
