import { cardName, type NamedCard } from '../../../shared/cards.ts'
import { formatMoney } from '../../../ui/format.ts'

interface FeeMoney {
  /** What is charged, in cents. */
  feeCents: number
  /** What is held of the deposit, in cents. */
  depositCents: number
  /** The card that paid the deposit. */
  depositCard: NamedCard | null
  /** The saved card. */
  card: NamedCard | null
}

const nameOf = (card: NamedCard | null): string => (card ? cardName(card) : 'the card')

/** What charging a fee takes from the deposit and from the card, and what goes back. */
export function describeCharge({ feeCents, depositCents, depositCard, card }: FeeMoney): string {
  const restCents = Math.max(0, feeCents - depositCents)
  const backCents = Math.max(0, depositCents - feeCents)
  if (backCents > 0)
    return `${formatMoney(feeCents)} of the deposit of ${formatMoney(depositCents)} is kept, and ${formatMoney(backCents)} goes back to ${nameOf(depositCard)}.`
  if (restCents === 0) return `The deposit of ${formatMoney(depositCents)} is kept.`
  const deposit = depositCents > 0 ? `${formatMoney(depositCents)} is taken from the deposit` : null
  if (!card)
    return `${deposit ? `${deposit}. ` : ''}There is no saved card for ${deposit ? 'the other ' : ''}${formatMoney(restCents)}, so a task is created.`
  return `${deposit ? `${deposit}, and ` : ''}${formatMoney(restCents)} is charged to ${cardName(card)}.`
}

type DepositState = 'none' | 'due' | 'paid' | 'returned'

/** What became of a deposit: 'Paid', '$50.00 for the fee, $25.00 back to Visa ending in 4242'. `usedCents`: what a fee took. */
export function describeDeposit(
  state: DepositState,
  { cents, usedCents, card }: { cents: number; usedCents: number; card: NamedCard | null },
) {
  if (state === 'none' || state === 'due') return 'Not paid'
  const parts = [
    ...(usedCents > 0 ? [`${formatMoney(usedCents)} for the fee`] : []),
    ...(state === 'returned' && usedCents < cents ? [`${formatMoney(cents - usedCents)} back to ${nameOf(card)}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'Paid'
}

/** What waiving a fee gives back. Null: nothing. */
export const describeWaiver = (backCents: number, depositCard: NamedCard | null): string | null =>
  backCents > 0 ? `${formatMoney(backCents)} of the deposit goes back to ${nameOf(depositCard)}.` : null
