import { centsToText, divideHalfUp } from '../../shared/money.ts'

/** Money or sessions that were paid for, and are used later. */
export const prepaidKinds = ['gift-card', 'package', 'credit'] as const
export type PrepaidKind = (typeof prepaidKinds)[number]

export const prepaidLabels: Record<PrepaidKind, string> = { 'gift-card': 'Gift card', package: 'Package', credit: 'Store credit' }

/**
 * `issue`: sold, or given. `use`: it paid for something. `return`: a refund put it back. `refund`: its own sale was refunded. `reversal`: the receipt that
 * an entry belongs to was cancelled or refused.
 */
export const prepaidEntryKinds = ['issue', 'use', 'return', 'refund', 'reversal'] as const
export type PrepaidEntryKind = (typeof prepaidEntryKinds)[number]

export const prepaidLimits = {
  /** Gift cards in one line, and ways of one sale. */
  giftCards: 20,
  uses: 10,
  sessions: 100,
  /** In cents: $50,000. */
  creditCents: 5_000_000,
} as const

/** The payment method of receipts that a prepaid balance pays completely, and of refunds to store credit. */
export const prepaidMethods: Record<PrepaidKind | PracticePart, string> = {
  'gift-card': 'Gift card',
  package: 'Package',
  credit: 'Store credit',
  goodwill: 'Goodwill',
  fee: 'Financing fee',
}

/** What the practice bears: goodwill, and the fee that a financing company keeps. */
export const practiceParts = ['goodwill', 'fee'] as const
export type PracticePart = (typeof practiceParts)[number]

/** What a receipt's prepaid part was paid with, or, in a refund, where it goes back to. */
export interface PrepaidUse {
  /** Null for what the practice bears. */
  accountId: string | null
  kind: PrepaidKind | PracticePart
  /** For the patient: the last characters of a gift card's code. */
  last4: string | null
  /** In cents; negative in a refund. */
  amountCents: number
  /** In QuickBooks. */
  itemId: string
  itemName: string
  taxCodeId: string
}

/** 'Gift card ending in 4TLC', 'Store credit'. */
export const formatPrepaidPart = ({ kind, last4 }: Pick<PrepaidUse, 'kind' | 'last4'>): string =>
  last4 === null ? prepaidMethods[kind] : `${prepaidMethods[kind]} ending in ${last4}`

interface SplitReceipt {
  paymentMethod: string | null
  totalCents: number
  prepaidCents: number
  prepaid: readonly Pick<PrepaidUse, 'kind' | 'last4' | 'amountCents'>[]
}

/** 'Gift card ending in 4TLC $100.00, Visa $182.50': the parts of a receipt or refund, a single one without its amount. Null: money alone. */
export function formatSplit({ paymentMethod, totalCents, prepaidCents, prepaid }: SplitReceipt): string | null {
  if (prepaid.length === 0) return null
  const parts = prepaid.map((part): [string, number] => [formatPrepaidPart(part), part.amountCents])
  if (totalCents !== prepaidCents) parts.push([paymentMethod ?? 'Money', totalCents - prepaidCents])
  if (parts.length === 1) return parts[0]![0]
  return parts.map(([name, cents]) => `${name} $${centsToText(Math.abs(cents))}`).join(', ')
}

/** Without letters and digits that are mistaken for each other. 32 characters: 16 of them are 80 bits. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codeLength = 16

/** A code from 16 random bytes: 'K7QM-2XRW-9PHD-4TLC'. */
export function giftCardCode(bytes: Uint8Array): string {
  const letters = Array.from(bytes.slice(0, codeLength), (byte) => alphabet[byte % alphabet.length]!).join('')
  return letters.match(/.{4}/g)!.join('-')
}

/** A typed code as it is stored, whatever its case, spaces and dashes. Null: no gift card has such a code. */
export function readGiftCardCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  if (letters.length !== codeLength || [...letters].some((letter) => !alphabet.includes(letter))) return null
  return letters.match(/.{4}/g)!.join('-')
}

/** What the next session of a package is worth, in cents, so that the last one takes what is left. */
export const sessionCents = ({ balanceCents, sessionsLeft }: { balanceCents: number; sessionsLeft: number }): number =>
  sessionsLeft <= 1 ? balanceCents : divideHalfUp(BigInt(balanceCents), BigInt(sessionsLeft))

export const lastDayPast = 'The last day can’t be in the past'

/** Whether a package can no longer be used. `today`: a day on the practice's calendar. Its last day counts. */
export const hasExpired = ({ expiresOn }: { expiresOn: string | null }, today: string): boolean => expiresOn !== null && expiresOn < today

type Used = Pick<PrepaidUse, 'accountId' | 'kind' | 'amountCents'>

/** What each prepaid part of a sale has not got back yet, in cents. `returned`: the prepaid parts of its refunds, which are negative. */
export const leftOfPrepaid = (uses: readonly Used[], returned: readonly Used[]): number[] =>
  uses.map(({ accountId, kind, amountCents }) =>
    // Money refunded to the store credit that paid a part adds to its balance, too.
    Math.max(
      0,
      returned
        .filter((part) => part.accountId === accountId && part.kind === kind)
        .reduce((sum, part) => sum + part.amountCents, amountCents),
    ),
  )

/**
 * Splits a refund between what prepaid balances paid and money: the balances get theirs back first, so that a refund never turns a gift card into cash.
 * `left`: what each has paid and not got back, in cents.
 */
export function spreadReturn(left: readonly number[], amountCents: number): { returned: number[]; moneyCents: number } {
  let open = amountCents
  const returned = left.map((cents) => {
    const part = Math.min(cents, open)
    open -= part
    return part
  })
  return { returned, moneyCents: open }
}
