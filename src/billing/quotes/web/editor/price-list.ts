import { centsToText, textToCents } from '../../../../shared/money.ts'
import { dayAt, daysLater } from '../../../../shared/zoned-time.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { defaultTaxCode } from '../../../pos/rules.ts'
import { defaultValidity } from '../../rules.ts'
import type { ChoicesData } from '../quote-data.ts'
import { emptyLine, type LineDraft, type QuoteDraft, totalsOfDraft } from './quote-draft.ts'
import { newPart } from './schedule.ts'

type Procedure = ChoicesData['procedures'][number]
type Case = ChoicesData['cases'][number]

/** Context of a new quote. */
export interface Beginning {
  choices: ChoicesData
  /** Today in the practice's time zone. */
  today: string
  timeZone: string
  /** The tax code of a line whose price list names none. */
  defaultCode: string
}

/** Default days before a surgery on which the balance is due. */
const daysBeforeSurgery = 7

const lineOf = (price: Procedure['prices'][number], defaultCode: string): LineDraft => ({
  ...emptyLine(price.kind, price.taxCodeId === null || price.taxCodeId === defaultTaxCode ? defaultCode : price.taxCodeId),
  words: price.description,
  quantity: String(price.quantity),
  price: centsToText(price.unitPriceCents),
  priceId: price.id,
})

/** The lines of these procedures' price lists, in order. */
export const linesFor = (procedures: readonly Procedure[], defaultCode: string): LineDraft[] =>
  procedures.flatMap(({ prices }) => prices.map((price) => lineOf(price, defaultCode)))

/** Replaces the last suggestion with a new one; user edits stay. */
function suggest(draft: QuoteDraft, title: string, lines: readonly LineDraft[]): QuoteDraft {
  const isOwnTitle = draft.title.trim() !== '' && draft.title !== draft.suggested.title
  const isOwnLines = draft.lines !== draft.suggested.lines
  return {
    ...draft,
    title: isOwnTitle ? draft.title : title,
    lines: isOwnLines ? draft.lines : lines,
    suggested: { ...draft.suggested, title: isOwnTitle ? '' : title, lines: isOwnLines ? draft.suggested.lines : lines },
  }
}

/** A quote for this procedure: its name and its price list, unless others were typed. */
export const forProcedure = (draft: QuoteDraft, procedure: Procedure | null, defaultCode: string): QuoteDraft =>
  procedure
    ? { ...suggest(draft, procedure.name, linesFor([procedure], defaultCode)), procedureId: procedure.id }
    : { ...draft, procedureId: null }

/** The day of a case in the practice's time zone; null without a case. */
export const surgeryDayOf = (one: { startsAt: string } | null | undefined, timeZone: string): string | null =>
  one ? dayAt(new Date(one.startsAt), timeZone) : null

/** A quote for this case: the price lists of its procedures; the case's price if they have none. The balance is due a week before. */
export function forCase(draft: QuoteDraft, one: Case | null, { choices, today, timeZone, defaultCode }: Beginning): QuoteDraft {
  if (!one) return { ...draft, surgeryId: null }
  const procedures = one.procedureIds.flatMap((id) => choices.procedures.find((procedure) => procedure.id === id) ?? [])
  const listed = linesFor(procedures, defaultCode)
  const isUnpriced = listed.every(({ price }) => price === '')
  const lines = listed.length > 0 ? listed : one.procedures.map((words) => ({ ...emptyLine('surgeon', defaultCode), words }))
  const priced =
    isUnpriced && one.priceCents !== null
      ? lines.map((line, index) => (index === 0 ? { ...line, price: centsToText(one.priceCents) } : line))
      : lines
  const filled = suggest(draft, one.procedures.join(', '), priced)
  const before = daysLater(surgeryDayOf(one, timeZone)!, -daysBeforeSurgery)
  const dueOn = before < today ? today : before
  const isOwnDay = draft.parts.length > 1 || draft.parts[0]?.dueOn !== draft.suggested.dueOn
  return {
    ...filled,
    surgeryId: one.id,
    procedureId: procedures[0]?.id ?? null,
    ...(!isOwnDay && {
      parts: draft.parts.map((part) => ({ ...part, dueOn })),
      suggested: { ...filled.suggested, dueOn },
    }),
  }
}

/**
 * The initial draft of a new quote: for the case without a quote, if there is exactly one; otherwise for the procedure of interest.
 * Without either, an empty line.
 */
export function newDraft(beginning: Beginning): QuoteDraft {
  const { choices, today, defaultCode } = beginning
  const day = daysLater(today, defaultValidity)
  const lines = [emptyLine('surgeon', defaultCode)]
  const draft: QuoteDraft = {
    procedureId: null,
    title: '',
    surgeryId: null,
    validUntil: day,
    note: '',
    lines,
    discount: null,
    deposit: '',
    depositName: '',
    parts: [newPart(day)],
    suggested: { title: '', lines, dueOn: day },
  }
  const open = choices.cases.filter(({ isUnquoted }) => isUnquoted)
  if (open.length === 1) return forCase(draft, open[0]!, beginning)
  const procedure = choices.procedures.find(({ id, isActive }) => isActive && id === choices.procedureId)
  return procedure ? forProcedure(draft, procedure, defaultCode) : draft
}

/** The list's price of a line today, in cents; null: it is not from a price list, or was removed from it. */
export function listPriceOf({ priceId }: LineDraft, { procedures }: ChoicesData): number | null {
  if (priceId === null) return null
  for (const { prices } of procedures) for (const price of prices) if (price.id === priceId) return price.unitPriceCents
  return null
}

/** Whether the line's price differs from the list, in which case both are shown. */
export function isOffList(line: LineDraft, choices: ChoicesData): boolean {
  const listed = listPriceOf(line, choices)
  return listed !== null && textToCents(line.price) !== listed
}

/** Total of the price-list lines at list prices, tax included; null: no line is from a list. */
export function listTotal({ lines }: Pick<QuoteDraft, 'lines'>, choices: ChoicesData, codes: readonly PosTaxCode[]): number | null {
  const listed = lines.flatMap((line) => {
    const cents = listPriceOf(line, choices)
    return cents === null ? [] : [{ ...line, price: centsToText(cents) }]
  })
  return listed.length > 0 ? totalsOfDraft({ lines: listed, discount: null }, codes).total : null
}
