import { divideHalfUp } from '../../shared/money.ts'
import { formatCents, type Language } from '../../shared/translations.ts'
import { termsTexts } from './texts.ts'

/** What patients leave when they book a visit online: an amount, a part of the price, or a card to which fees can be charged. */
export const depositKinds = ['none', 'amount', 'percent', 'card'] as const
export type DepositKind = (typeof depositKinds)[number]

/** What Stripe charges at least, in cents. */
export const minDepositCents = 50

/** The deposit and the fees of a visit type. Amounts are in cents. */
export interface DepositRules {
  depositKind: DepositKind
  /** For an amount. */
  depositCents: number | null
  /** Of the price, for a percentage. */
  depositPercent: number | null
  /** What patients read that the visit costs; null: nothing is shown. */
  priceCents: number | null
  /** Whether patients who have been there before leave none. */
  isDepositFirstOnly: boolean
  /** For a visit that is cancelled after the last moment to change it, and for a missed one; 0: none. */
  lateFeeCents: number
  noShowFeeCents: number
  changeHours: number
}

/** What a patient agrees to with a booking. Amounts are in cents. */
export interface VisitTerms {
  /** 0: only the card is kept. */
  depositCents: number
  /** Whether the card is kept, because fees may be charged to it. */
  keepsCard: boolean
  lateFeeCents: number
  noShowFeeCents: number
  changeHours: number
}

/** The deposit of a visit type, in cents. */
function depositOf({ depositKind, depositCents, depositPercent, priceCents }: DepositRules): number {
  if (depositKind === 'amount') return depositCents ?? 0
  return depositKind === 'percent' ? divideHalfUp(BigInt(priceCents ?? 0) * BigInt(depositPercent ?? 0), 100n) : 0
}

/** The last moment at which a visit can be moved or cancelled at no charge. */
export const freeUntil = (startsAt: Date, changeHours: number): Date => new Date(startsAt.getTime() - changeHours * 3_600_000)

/** What a patient has to agree to, or null. @param isFirst whether the patient has not been there before. */
export function termsOf(rules: DepositRules, isFirst: boolean): VisitTerms | null {
  const { depositKind, isDepositFirstOnly, lateFeeCents, noShowFeeCents, changeHours } = rules
  if (depositKind === 'none' || (isDepositFirstOnly && !isFirst)) return null
  const keepsCard = depositKind === 'card' || lateFeeCents > 0 || noShowFeeCents > 0
  return { depositCents: depositOf(rules), keepsCard, lateFeeCents, noShowFeeCents, changeHours }
}

/** The terms as the patient reads and accepts them, a sentence a line. @param isSoon whether the last moment to change it has passed already. */
export function termsLines(
  { depositCents, lateFeeCents, noShowFeeCents, changeHours }: VisitTerms,
  language: Language,
  isSoon: boolean,
): string[] {
  const t = termsTexts[language]
  const money = (cents: number) => formatCents(cents, language)
  const hasFee = lateFeeCents > 0 || noShowFeeCents > 0
  return [
    depositCents > 0 ? t('deposit', { amount: money(depositCents) }) : t('card'),
    isSoon && lateFeeCents > 0 ? t('changeOver') : changeHours > 0 ? t('change', { hours: changeHours }) : t('changeAnytime'),
    ...(depositCents > 0 && lateFeeCents === 0 ? [t('refundAlways')] : []),
    ...(depositCents > 0 && lateFeeCents > 0 && !isSoon ? [t('refund')] : []),
    ...(lateFeeCents > 0 ? [t(isSoon ? 'lateNow' : 'late', { fee: money(lateFeeCents) })] : []),
    ...(noShowFeeCents > 0 ? [t('noShow', { fee: money(noShowFeeCents) })] : []),
    ...(hasFee ? [depositCents > 0 ? t('paidFrom') : t('paidBy')] : []),
  ]
}
