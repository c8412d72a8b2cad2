import { calendarDay } from '../../../../shared/dates.ts'
import { centsToText, textToCents } from '../../../../shared/money.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { type CartLine, cartLimits, needsExemptReason, taxRateOf, type Totals } from '../../../pos/rules.ts'
import { quoteMessages } from '../../quote-contract.ts'
import { type Discount, discountLimit, type LineKind, noDiscount, quoteTotals } from '../../rules.ts'
import type { ChoicesData, QuoteData } from '../quote-data.ts'
import { newPart, type PartDraft, scheduleOf } from './schedule.ts'

/** A line being edited. */
export interface LineDraft {
  /** Identifies the line while editing. */
  key: string
  kind: LineKind
  words: string
  quantity: string
  price: string
  taxCodeId: string
  exemptReason: string
  /** The price-list price that the line was created from. */
  priceId: string | null
}

/** A discount being edited. */
export interface DiscountDraft {
  unit: 'percent' | 'amount'
  /** A percentage or dollars, as typed. */
  text: string
}

export interface QuoteDraft {
  /** The procedure whose price list it started from; not sent. */
  procedureId: string | null
  title: string
  surgeryId: string | null
  validUntil: string
  note: string
  lines: readonly LineDraft[]
  /** Null: none is given. */
  discount: DiscountDraft | null
  deposit: string
  /** Empty: 'Deposit'. */
  depositName: string
  /** Instalments of the balance after the deposit; at least one. */
  parts: readonly PartDraft[]
  /** Suggested values, which another suggestion may replace while they are unedited. */
  suggested: { title: string; lines: readonly LineDraft[]; dueOn: string }
}

export const emptyLine = (kind: LineKind, taxCodeId: string): LineDraft => ({
  key: crypto.randomUUID(),
  kind,
  words: '',
  quantity: '1',
  price: '',
  taxCodeId,
  exemptReason: '',
  priceId: null,
})

/** The editor draft of a saved quote. */
export function draftOf({ lines, depositCents, instalments, ...quote }: QuoteData, { procedures }: ChoicesData): QuoteDraft {
  const begunWith = new Set(lines.map(({ priceId }) => priceId))
  const procedure = procedures.find(({ name, prices }) => name === quote.title || prices.some(({ id }) => id !== null && begunWith.has(id)))
  return {
    procedureId: procedure?.id ?? null,
    title: quote.title,
    surgeryId: quote.surgery?.id ?? null,
    validUntil: quote.validUntil,
    note: quote.note ?? '',
    lines: lines.map((line) => ({
      key: crypto.randomUUID(),
      kind: line.kind,
      words: line.words,
      quantity: String(line.quantity),
      price: centsToText(line.unitPriceCents),
      taxCodeId: line.taxCodeId,
      exemptReason: line.exemptReason ?? '',
      priceId: line.priceId,
    })),
    discount: discountDraftOf(quote),
    depositName: quote.depositName ?? '',
    deposit: depositCents === 0 ? '' : centsToText(depositCents),
    parts:
      instalments.length > 0
        ? instalments.map(({ dueOn, amountCents, name }) => newPart(dueOn, centsToText(amountCents), name ?? ''))
        : [newPart(quote.validUntil)],
    suggested: { title: '', lines: [], dueOn: '' },
  }
}

const quantityOf = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0)

const codeOf = (codes: readonly PosTaxCode[], id: string) => codes.find(({ Id }) => Id === id)

/** Whether the line's tax code requires an exemption reason. */
export const isExempt = ({ taxCodeId }: LineDraft, codes: readonly PosTaxCode[]): boolean =>
  needsExemptReason(codeOf(codes, taxCodeId)?.Name ?? '')

/** Hundredths of a percent are typed as cents are. */
function discountDraftOf({ discountPercent, discountCents }: Discount): DiscountDraft | null {
  if (discountPercent !== null) return { unit: 'percent', text: String(discountPercent / 100) }
  return discountCents > 0 ? { unit: 'amount', text: centsToText(discountCents) } : null
}

/** Cents, or hundredths of a percent; '10%' may be typed as '10'. */
const typedDiscount = ({ unit, text }: DiscountDraft) => textToCents(unit === 'percent' ? text.replace(/\s*%\s*$/, '') : text)

/** The discount; none if it is invalid. */
export function discountOf(discount: DiscountDraft | null): Discount {
  const typed = discount ? (typedDiscount(discount) ?? 0) : 0
  if (discount === null || typed === 0) return noDiscount
  return discount.unit === 'percent' ? { discountPercent: typed, discountCents: 0 } : { discountPercent: null, discountCents: typed }
}

function discountProblem(discount: DiscountDraft | null, cart: readonly CartLine[]): string | undefined {
  if (discount === null) return undefined
  const typed = typedDiscount(discount)
  if (discount.unit === 'percent') {
    if (typed === undefined || (typed ?? 0) > discountLimit) return quoteMessages.discountPercent
  } else if (typed === undefined) return quoteMessages.money
  const { subtotal, total } = quoteTotals(cart, discountOf(discount))
  if (subtotal === 0) return undefined
  if (discount.unit === 'amount' && (typed ?? 0) > subtotal) return quoteMessages.discountTooMuch
  return total === 0 ? quoteMessages.discountLeavesNothing : undefined
}

/** Totals after the discount, computed like the server does. Invalid values and discounts count as 0. */
export function totalsOfDraft({ lines, discount }: Pick<QuoteDraft, 'lines' | 'discount'>, codes: readonly PosTaxCode[]): Totals {
  const cart = cartOf(lines, codes)
  return quoteTotals(cart, discountProblem(discount, cart) === undefined ? discountOf(discount) : noDiscount)
}

const cartOf = (lines: readonly LineDraft[], codes: readonly PosTaxCode[]): CartLine[] =>
  lines.map(({ price, quantity, taxCodeId }): CartLine => {
    const code = codeOf(codes, taxCodeId)
    const rates = (code?.SalesTaxRateList ?? []).map(({ RateValue }) => RateValue)
    const rate = code ? taxRateOf({ name: code.Name, rates }) : 0
    return { unitPrice: Math.min(textToCents(price) ?? 0, cartLimits.unitPrice), quantity: quantityOf(quantity), taxCodeId, rate }
  })

/** An amount as it is shown once its field is left: '8,200.00' for '8200'. What is no amount stays as it was typed. */
export function tidyAmount(text: string): string {
  const cents = textToCents(text)
  return cents === undefined ? text : centsToText(cents)
}

const given = (problems: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined))

function lineProblems(line: LineDraft, codes: readonly PosTaxCode[]): Record<string, string | undefined> {
  const cents = textToCents(line.price)
  return {
    [`words ${line.key}`]: line.words.trim() === '' ? quoteMessages.words : undefined,
    [`quantity ${line.key}`]: quantityOf(line.quantity) < 1 ? quoteMessages.quantity : undefined,
    [`price ${line.key}`]: cents === null || cents === undefined || cents > cartLimits.unitPrice ? quoteMessages.money : undefined,
    [`taxCode ${line.key}`]: codeOf(codes, line.taxCodeId) ? undefined : quoteMessages.taxCode,
    [`reason ${line.key}`]: isExempt(line, codes) && line.exemptReason.trim() === '' ? quoteMessages.exemptReason : undefined,
  }
}

function dayProblem(day: string, today: string): string | undefined {
  if (!calendarDay.safeParse(day).success) return 'Enter a date'
  return day < today ? quoteMessages.past : undefined
}

function scheduleProblems(draft: QuoteDraft, totalCents: number, today: string): Record<string, string | undefined> {
  const { restCents, isTooMuch } = scheduleOf(draft, totalCents)
  if (textToCents(draft.deposit) === undefined) return { deposit: quoteMessages.money }
  if (restCents < 0) return { deposit: 'This is more than the total' }
  if (restCents === 0) return {}
  return {
    plan: isTooMuch ? 'Nothing is left for the last instalment. Lower another one or remove it.' : undefined,
    ...Object.fromEntries(
      draft.parts.flatMap(({ key, dueOn, amount }) => [
        [`day ${key}`, dayProblem(dueOn, today)],
        [`amount ${key}`, textToCents(amount) === undefined ? quoteMessages.money : undefined],
      ]),
    ),
  }
}

/** Errors by field; those of a line or instalment are under its key. */
export function problemsOf(draft: QuoteDraft, codes: readonly PosTaxCode[], today: string): Record<string, string> {
  const totals = totalsOfDraft(draft, codes)
  return given({
    title: draft.title.trim() === '' ? quoteMessages.title : undefined,
    validUntil: dayProblem(draft.validUntil, today),
    lines: draft.lines.length === 0 ? quoteMessages.lines : totals.subtotal === 0 ? quoteMessages.atLeast : undefined,
    discount: discountProblem(draft.discount, cartOf(draft.lines, codes)),
    ...Object.fromEntries(draft.lines.flatMap((line) => Object.entries(lineProblems(line, codes)))),
    ...scheduleProblems(draft, totals.total, today),
  })
}

/** The draft as API input; requires a draft without errors. */
export function written(draft: QuoteDraft, codes: readonly PosTaxCode[]) {
  const totals = totalsOfDraft(draft, codes)
  const { restCents, instalments } = scheduleOf(draft, totals.total)
  return {
    surgeryId: draft.surgeryId,
    title: draft.title,
    note: draft.note,
    validUntil: draft.validUntil,
    lines: draft.lines.map((line) => ({
      kind: line.kind,
      words: line.words,
      quantity: quantityOf(line.quantity),
      unitPriceCents: textToCents(line.price) ?? 0,
      taxCodeId: line.taxCodeId,
      exemptReason: isExempt(line, codes) ? line.exemptReason : null,
      priceId: line.priceId,
    })),
    discountPercent: discountOf(draft.discount).discountPercent,
    discountCents: totals.discount,
    depositCents: textToCents(draft.deposit) ?? 0,
    depositName: draft.depositName.trim() || null,
    instalments: restCents > 0 ? instalments : [],
    // If a surgery is booked, everything due by its day is due before it.
    isBeforeSurgery: draft.surgeryId !== null,
    subtotalCents: totals.subtotal,
    taxCents: totals.tax,
    totalCents: totals.total,
  }
}
