import { type NamedCard, yourCard } from '../../shared/cards.ts'
import { formatCents, type Language } from '../../shared/translations.ts'
import type { FeeKind, FeeState } from './rules.ts'
import { feeTexts } from './texts.ts'

/** What became of the money of a visit. Amounts are in cents. */
export interface VisitBalance {
  /** What the patient paid. `feeCents`: the part that a fee takes. `isReturned`: the rest goes back, or went back. Null: nothing was paid. */
  deposit: { cents: number; card: NamedCard | null; isReturned: boolean; feeCents: number } | null
  /** The card to which a fee is charged. */
  card: NamedCard | null
  /** The fee about which staff decide. */
  due: { amountCents: number } | null
  fee: { kind: FeeKind; amountCents: number; state: FeeState; openCents: number } | null
}

/** What a patient reads about a visit that is cancelled or was missed: what was paid, what is kept, and what goes back to which card. */
export function moneyAfter({ deposit, card, due, fee }: VisitBalance, language: Language): string[] {
  const t = feeTexts[language]
  const money = (cents: number) => formatCents(cents, language)
  const paid = deposit ? [t('paid', { amount: money(deposit.cents), card: yourCard(deposit.card, language) })] : []
  if (due) return [...paid, t('mayCost', { fee: money(due.amountCents) }), ...(deposit?.isReturned === false ? [t('keptUntilThen')] : [])]
  const back = deposit?.isReturned ? [t('back')] : []
  if (!fee) return [...paid, ...back]
  if (fee.state === 'waived') return [...paid, t('waived'), ...back]
  const { kind, amountCents, state, openCents } = fee
  const fromDeposit = deposit?.feeCents ?? 0
  const fromCard = amountCents - fromDeposit
  const rest = (deposit?.cents ?? 0) - fromDeposit
  const byCard = { amount: money(fromCard), card: yourCard(card, language) }
  return [
    ...paid,
    t(`fee.${kind}`, { fee: money(amountCents) }),
    ...(fromDeposit > 0 ? [fromCard > 0 ? t('partFromDeposit', { amount: money(fromDeposit) }) : t('fromDeposit')] : []),
    ...(deposit && rest > 0 ? [t('rest', { amount: money(rest), card: yourCard(deposit.card, language) })] : []),
    ...(fromCard > 0
      ? [state === 'refused' ? t('open', { amount: money(openCents) }) : t(state === 'settled' ? 'charged' : 'toCharge', byCard)]
      : []),
  ]
}

/** What a patient reads about a visit that was booked again after a fee was charged. */
export function moneyOfEarlierFee(
  { amountCents, openCents }: Pick<NonNullable<VisitBalance['fee']>, 'amountCents' | 'openCents'>,
  language: Language,
): string[] {
  const t = feeTexts[language]
  const fee = t('earlier', { fee: formatCents(amountCents, language) })
  return openCents > 0 ? [fee, t('open', { amount: formatCents(openCents, language) })] : [fee]
}

/** What a patient reads about a visit that is booked: what is paid, or which card is kept. */
export function moneyBefore({ deposit, card }: VisitBalance, language: Language): string[] {
  const t = feeTexts[language]
  if (!deposit) return card ? [t('kept', { card: yourCard(card, language) })] : []
  const paid = { amount: formatCents(deposit.cents, language), card: yourCard(deposit.card, language) }
  return [deposit.isReturned ? t('wentBack', paid) : t('paid', paid)]
}
