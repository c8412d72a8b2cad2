import type { NamedCard } from '../../shared/cards.ts'

/**
 * What a card pays: a booking's deposit, one charge, the deposit of an accepted quote, a fee for a missed or late-cancelled visit, what a patient owes, or a
 * sale at the desk. The reference of a payment is the booking, the charge, the quote, the fee, the patient, or the key of the sale.
 */
export const cardPurposes = ['deposit', 'charge', 'quote', 'fee', 'balance', 'sale'] as const
export type CardPurpose = (typeof cardPurposes)[number]

/**
 * - `started`: kept here, and perhaps not at Stripe yet. - `open`: waits for a card, or for the bank's page. - `processing`: the bank has not
 * answered. - `paid`, `cancelled`: over.
 */
export const cardStatuses = ['started', 'open', 'processing', 'paid', 'cancelled'] as const
export type CardStatus = (typeof cardStatuses)[number]

/** Statuses in which money may still be taken. */
export const unsettledStatuses = ['started', 'open', 'processing'] as const satisfies readonly CardStatus[]

/** The payment method of receipts of payments by card on our pages. */
export const cardMethod = 'Card online'

/** The payment method of receipts of sales whose card was taken at a reader. */
export const terminalMethod = 'Card terminal'

/** What Stripe charges at least and at most, in cents. */
export const cardLimits = { minCents: 50, maxCents: 99_999_999 } as const

/** Stripe's statuses of a payment intent. */
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded'

const statusOf: Record<IntentStatus, CardStatus> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  processing: 'processing',
  // We never ask for a separate capture.
  requires_capture: 'processing',
  canceled: 'cancelled',
  succeeded: 'paid',
}

/**
 * The status of a payment after Stripe was asked. Money that was taken counts whatever was known before; nothing else changes a payment that is over, so
 * an answer that arrives late is harmless.
 */
export function statusAfter(before: CardStatus, intent: IntentStatus): CardStatus {
  const now = statusOf[intent]
  if (before === 'paid' || now === 'paid') return 'paid'
  return before === 'cancelled' ? 'cancelled' : now
}

/** Hours after which a payment that no one completes is cancelled at Stripe. */
export const abandonedAfterHours = 24

/** What is known of a card. */
export interface ShownCard extends NamedCard {
  expiryMonth: number
  expiryYear: number
}

/** The first instant at which a card no longer works: the month after its expiry begins. @param month 1 to 12. */
export const expiresAt = ({ expiryMonth, expiryYear }: Pick<ShownCard, 'expiryMonth' | 'expiryYear'>): Date =>
  new Date(Date.UTC(expiryYear, expiryMonth, 1))

/** '04/28', as on the card. */
export const shownExpiry = ({ expiryMonth, expiryYear }: Pick<ShownCard, 'expiryMonth' | 'expiryYear'>): string =>
  `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear % 100).padStart(2, '0')}`

/** Days before its expiry from which the patient is asked for another card. */
export const expiryNoticeDays = 30

/** What is due by today, in cents, or next if nothing is. @param today a day on the practice's calendar. */
export function dueNow(portions: readonly { dueOn: string; openCents: number }[], today: string): number {
  const first = portions.map(({ dueOn }) => dueOn).toSorted()[0]
  const last = first === undefined || first <= today ? today : first
  return portions.filter(({ dueOn }) => dueOn <= last).reduce((sum, { openCents }) => sum + openCents, 0)
}

/** Stripe’s account in QuickBooks is missing. */
export const noAccount = (name: string): string => `QuickBooks has no account “${name}” (CARD_PAYMENT_ACCOUNT)`
