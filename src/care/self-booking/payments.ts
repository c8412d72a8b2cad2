import type { Db } from '../../kernel/postgres/database.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import type { NamedCard } from '../../shared/cards.ts'
import type { Language } from '../../shared/translations.ts'

/** What a page needs to show Stripe’s form. */
export interface PaymentForm {
  clientSecret: string
  publishableKey: string
  jsUrl: string
  /** To what the patient agrees by leaving the card; null: it is not kept. */
  consent: string | null
}

export interface BookingPayment {
  /** The key of the booking. There is one payment for it. */
  key: string
  contactId: string
  /** 0: the card is kept, and nothing is charged. */
  amountCents: number
  keepsCard: boolean
  language: Language
}

/**
 * Starts the payment of a booking, or continues it. PAID: it went through. PROCESSING: the bank has not answered. PAYMENTS_UNAVAILABLE: safe to
 * repeat.
 */
export const startBookingPayment =
  slot<(scope: Scope, given: BookingPayment) => Promise<PaymentForm | Refusal<'PAID' | 'PROCESSING' | 'PAYMENTS_UNAVAILABLE'>>>(
    'startBookingPayment',
  )

/** What became of the payment of a booking, as Stripe knows it. @returns `none`: it was not started. `unknown`: Stripe did not answer. */
export const bookingPaymentState =
  slot<(scope: Scope, key: string) => Promise<'none' | 'unpaid' | 'processing' | 'paid' | 'unknown'>>('bookingPaymentState')

/** What goes back to which card. `card` is null if Stripe did not say. */
export interface ReturnedDeposit {
  amountCents: number
  card: NamedCard | null
}

/**
 * Gives the deposit of a booking back to its card, once it is in the books. @param reason for staff, on the refund. @returns null if nothing was paid,
 * or it goes back already.
 */
export const refundDeposit = slot<(tx: Db, scope: Scope, key: string, reason: string) => Promise<ReturnedDeposit | null>>('refundDeposit')
