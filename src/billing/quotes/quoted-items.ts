import { eq, inArray } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { procedurePrices } from '../price-lists/table.ts'
import { objectsOf } from '../quickbooks/service.ts'
import type { QuotedItems } from './quote-contract.ts'
import { netAmounts } from './rules.ts'
import { quotes } from './table.ts'

/**
 * The lines of the quote behind a charge, ready to sell: each with its current QuickBooks item from the price list. A discount by
 * amount is deducted from the prices, so that a receipt of all lines equals the quote's total. Null: the charge has no quote.
 */
export async function quotedItems(scope: Scope, chargeId: string): Promise<QuotedItems | null> {
  const { db } = scope
  const [quote] = await db.select().from(quotes).where(eq(quotes.chargeId, chargeId))
  if (!quote) return null
  const { lines, discountPercent, discountCents } = quote
  const priceIds = lines.flatMap(({ priceId }) => priceId ?? [])
  const prices = await db
    .select({ id: procedurePrices.id, itemId: procedurePrices.itemId })
    .from(procedurePrices)
    .where(inArray(procedurePrices.id, priceIds))
  const itemIds = new Map(prices.map(({ id, itemId }) => [id, itemId]))
  const items = await objectsOf(
    db,
    'item',
    prices.flatMap(({ itemId }) => itemId ?? []),
  )
  const isByAmount = discountPercent === null && discountCents > 0
  const net = netAmounts(
    lines.map(({ amountCents }) => amountCents),
    discountCents,
  )
  await scope.recordView({ kind: 'quote', contactIds: [quote.contactId] })
  return {
    discountPercent: discountPercent ?? 0,
    lines: lines.map(({ words, quantity, unitPriceCents, taxCodeId, exemptReason, priceId }, index) => {
      const item = items.find(({ id }) => id === itemIds.get(priceId ?? ''))
      const price = isByAmount ? { quantity: 1, unitPriceCents: net[index]! } : { quantity, unitPriceCents }
      return { words, ...price, taxCodeId, exemptReason, item: item ? { id: item.id, name: item.name } : null }
    }),
  }
}
