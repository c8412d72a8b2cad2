import { centsToText, textToCents } from '../../../shared/money.ts'
import { cartLimits } from '../../pos/rules.ts'
import type { Client } from '../../../ui/client/api.ts'
import type { LineKind } from '../../quotes/rules.ts'
import type { Procedure } from '../../../crm/procedures/contract.ts'
import { priceListMessages } from '../contract.ts'
import { defaultPrices } from '../rules.ts'

export type PriceListData = Awaited<ReturnType<Client['procedures']['priceList']>>

/** A price being edited. */
export interface PriceDraft {
  /** Identifies the price while editing. */
  key: string
  /** Null: a new price. */
  id: string | null
  kind: LineKind
  words: string
  quantity: string
  price: string
  taxCodeId: string | null
  itemId: string | null
  itemName: string | null
}

export const newPrice = (kind: LineKind): PriceDraft => ({
  key: crypto.randomUUID(),
  id: null,
  kind,
  words: '',
  quantity: '1',
  price: '',
  taxCodeId: null,
  itemId: null,
  itemName: null,
})

/** The prices of a list; the default lines if the procedure has none yet. */
export function draftOf({ prices }: PriceListData, procedure: Procedure): PriceDraft[] {
  if (prices.length === 0)
    return defaultPrices(procedure).map(({ description, unitPriceCents, quantity, ...line }) => ({
      ...newPrice(line.kind),
      ...line,
      words: description,
      quantity: String(quantity),
      price: centsToText(unitPriceCents),
    }))
  return prices.map(({ description, unitPriceCents, quantity, ...price }) => ({
    ...price,
    key: price.id,
    words: description,
    quantity: String(quantity),
    price: centsToText(unitPriceCents),
  }))
}

const quantityOf = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0)

/** The list's total before tax; ignores invalid values. */
export const totalOf = (prices: readonly PriceDraft[]): number =>
  prices.reduce((sum, { price, quantity }) => sum + (textToCents(price) ?? 0) * quantityOf(quantity), 0)

/** Errors by the server's field names. */
export function problemsOf(prices: readonly PriceDraft[]): Record<string, string> {
  return Object.fromEntries(
    prices.flatMap(({ words, quantity, price }, index) => {
      const cents = textToCents(price)
      const checks: [string, boolean, string][] = [
        ['description', words.trim() !== '', priceListMessages.description],
        ['quantity', quantityOf(quantity) >= 1, priceListMessages.quantity],
        ['unitPriceCents', cents !== null && cents !== undefined && cents <= cartLimits.unitPrice, priceListMessages.price],
      ]
      return checks.filter(([, isRight]) => !isRight).map(([field, , message]) => [`prices.${index}.${field}`, message])
    }),
  )
}

/** The prices as API input; requires prices without errors. */
export const wanted = (prices: readonly PriceDraft[]) =>
  prices.map(({ id, kind, words, quantity, price, taxCodeId, itemId }) => ({
    id,
    kind,
    description: words,
    quantity: quantityOf(quantity),
    unitPriceCents: textToCents(price) ?? 0,
    taxCodeId,
    itemId,
  }))
