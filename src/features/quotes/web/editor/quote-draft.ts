import { centsToText, textToCents } from '../../../../shared/money.ts'
import { daysLater } from '../../../../shared/zoned-time.ts'
import { type DaysDraft, daysProblems, noDays, planned } from '../../../collections/web/embed/instalment-fields.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { type CartLine, cartLimits, needsExemptReason, taxRateOf, type Totals } from '../../../pos/rules.ts'
import { quoteMessages } from '../../contract.ts'
import { type LineKind, quoteTotals, usualValidity } from '../../rules.ts'
import type { ChoicesData, QuoteData } from '../quote-data.ts'

/** A line as it stands in the fields. */
export interface LineDraft {
  /** Tells it from the others while it is edited. */
  key: string
  kind: LineKind
  words: string
  quantity: string
  price: string
  taxCodeId: string
  exemptReason: string
}

export interface QuoteDraft {
  title: string
  surgeryId: string | null
  validUntil: string
  note: string
  lines: readonly LineDraft[]
  deposit: string
  /** When what the deposit leaves is due. */
  days: DaysDraft
}

export const emptyLine = (kind: LineKind, taxCodeId: string): LineDraft => ({
  key: crypto.randomUUID(),
  kind,
  words: '',
  quantity: '1',
  price: '',
  taxCodeId,
  exemptReason: '',
})

type Case = ChoicesData['cases'][number]

export function newDraft(today: string, taxCodeId: string): QuoteDraft {
  const lines = [emptyLine('surgeon', taxCodeId)]
  return {
    title: '',
    surgeryId: null,
    validUntil: daysLater(today, usualValidity),
    note: '',
    lines,
    deposit: '',
    days: noDays(daysLater(today, usualValidity)),
  }
}

/** A quote for a case: what is typed stays, and what is empty is filled with what the case says, else with what its procedures usually cost. */
export function forCase(draft: QuoteDraft, one: Case | null, taxCodeId: string): QuoteDraft {
  const chosen = { ...draft, surgeryId: one?.id ?? null }
  if (!one) return chosen
  const isEmpty = draft.lines.every(({ words, price }) => words === '' && price === '')
  return {
    ...chosen,
    title: draft.title.trim() === '' ? one.procedures.join(', ') : draft.title,
    days: { ...draft.days, isBeforeSurgery: true },
    lines: isEmpty
      ? [
          ...one.procedures.map((words, index) => ({
            ...emptyLine('surgeon', one.usual[index]?.taxCodeId ?? taxCodeId),
            words,
            price: centsToText(one.priceCents === null ? (one.usual[index]?.priceCents ?? null) : index === 0 ? one.priceCents : null),
          })),
          { ...emptyLine('facility', taxCodeId), words: 'Operating room and recovery' },
        ]
      : draft.lines,
  }
}

export function draftOf({ lines, depositCents, instalments, totalCents, isBeforeSurgery, ...quote }: QuoteData): QuoteDraft {
  const [first] = instalments
  return {
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
    })),
    deposit: depositCents === 0 ? '' : centsToText(depositCents),
    days: {
      ...noDays(first?.dueOn ?? quote.validUntil),
      isBeforeSurgery,
      isPlanned: instalments.length > 1,
      count: String(Math.max(2, instalments.length)),
      parts: instalments.length > 1 ? instalments.map((part) => ({ dueOn: part.dueOn, amount: centsToText(part.amountCents) })) : [],
    },
  }
}

const quantityOf = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0)

const codeOf = (codes: readonly PosTaxCode[], id: string) => codes.find(({ Id }) => Id === id)

/** Whether the line's tax code asks why it is not taxed. */
export const isExempt = ({ taxCodeId }: LineDraft, codes: readonly PosTaxCode[]): boolean =>
  needsExemptReason(codeOf(codes, taxCodeId)?.Name ?? '')

/** What the lines come to, as far as they can be read; the server works out the same. */
export function totalsOfDraft({ lines }: Pick<QuoteDraft, 'lines'>, codes: readonly PosTaxCode[]): Totals {
  const cart = lines.map(({ price, quantity, taxCodeId }): CartLine => {
    const code = codeOf(codes, taxCodeId)
    const rates = (code?.SalesTaxRateList ?? []).map(({ RateValue }) => RateValue)
    const rate = code ? taxRateOf({ name: code.Name, rates }) : 0
    return { unitPrice: Math.min(textToCents(price) ?? 0, cartLimits.unitPrice), quantity: quantityOf(quantity), taxCodeId, rate }
  })
  return quoteTotals(cart)
}

const depositOf = ({ deposit }: QuoteDraft): number => textToCents(deposit) ?? 0

/** What the deposit leaves, in cents. */
export const restOf = (draft: QuoteDraft, { total }: Totals): number => total - depositOf(draft)

/** After a change of lines or deposit: the instalments are shared out anew. */
export function shared(draft: QuoteDraft, codes: readonly PosTaxCode[]): QuoteDraft {
  const rest = restOf(draft, totalsOfDraft(draft, codes))
  return { ...draft, days: planned(draft.days, rest > 0 ? centsToText(rest) : '') }
}

const instalmentsOf = ({ days }: QuoteDraft, rest: number) =>
  rest <= 0
    ? []
    : days.isPlanned
      ? days.parts.map((part) => ({ dueOn: part.dueOn, amountCents: textToCents(part.amount) ?? 0 }))
      : [{ dueOn: days.dueOn, amountCents: rest }]

const given = (problems: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** Nothing is due before today, as `daysProblems` names the fields. */
function pastDays({ isPlanned, dueOn, parts }: DaysDraft, today: string): Record<string, string> {
  const days = isPlanned ? parts.map((part, index) => [`day${index}`, part.dueOn] as const) : [['dueOn', dueOn] as const]
  return Object.fromEntries(days.filter(([, day]) => day < today).map(([field]) => [field, quoteMessages.past]))
}

/** What is wrong, by field; those of a line under its key. */
export function problemsOf(draft: QuoteDraft, codes: readonly PosTaxCode[], today: string): Record<string, string> {
  const totals = totalsOfDraft(draft, codes)
  const rest = restOf(draft, totals)
  const found: Record<string, string | undefined> = {
    title: draft.title.trim() === '' ? quoteMessages.title : undefined,
    validUntil: draft.validUntil === '' ? quoteMessages.validUntil : draft.validUntil < today ? quoteMessages.past : undefined,
    deposit: textToCents(draft.deposit) === undefined ? quoteMessages.money : rest < 0 ? 'This is more than the total' : undefined,
    lines: draft.lines.length === 0 ? quoteMessages.lines : undefined,
  }
  for (const line of draft.lines) {
    const cents = textToCents(line.price)
    if (line.words.trim() === '') found[`words ${line.key}`] = quoteMessages.words
    if (quantityOf(line.quantity) < 1) found[`quantity ${line.key}`] = quoteMessages.quantity
    if (cents === null || cents === undefined || cents > cartLimits.unitPrice) found[`price ${line.key}`] = quoteMessages.money
    if (isExempt(line, codes) && line.exemptReason.trim() === '') found[`reason ${line.key}`] = quoteMessages.exemptReason
  }
  if (draft.lines.length > 0 && totals.total === 0) found.lines = 'A quote comes to at least $0.01'
  if (rest > 0) Object.assign(found, pastDays(draft.days, today), given(daysProblems(draft.days, rest)))
  return given(found)
}

/** As the API takes it; of a draft that has no problems. */
export function written(draft: QuoteDraft, codes: readonly PosTaxCode[]) {
  const totals = totalsOfDraft(draft, codes)
  const plan = { depositCents: depositOf(draft), instalments: instalmentsOf(draft, restOf(draft, totals)) }
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
    })),
    ...plan,
    isBeforeSurgery: draft.days.isBeforeSurgery,
    subtotalCents: totals.subtotal,
    taxCents: totals.tax,
    totalCents: totals.total,
  }
}
