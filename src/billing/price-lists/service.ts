import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { defaultTaxCode } from '../pos/rules.ts'
import { objectsOf } from '../quickbooks/service.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { type PriceList, priceListMessages, type WantedPrice } from './contract.ts'
import { procedurePrices } from './table.ts'

type Row = typeof procedurePrices.$inferSelect

/** The price lists of these procedures, in order. */
export async function pricesOf(db: Db, procedureIds: readonly string[]): Promise<Map<string, Row[]>> {
  const rows = await db
    .select()
    .from(procedurePrices)
    .where(inArray(procedurePrices.procedureId, [...procedureIds]))
    .orderBy(asc(procedurePrices.position))
  return Map.groupBy(rows, ({ procedureId }) => procedureId)
}

/** Null: procedure not found. */
export async function getPriceList(db: Db, id: string): Promise<PriceList | null> {
  const [procedure] = await db.select({ version: procedures.version }).from(procedures).where(eq(procedures.id, id))
  if (!procedure) return null
  const rows = (await pricesOf(db, [id])).get(id) ?? []
  const items = await objectsOf(
    db,
    'item',
    rows.flatMap(({ itemId }) => itemId ?? []),
  )
  const names = new Map(items.map((item) => [item.id, item.name]))
  return {
    ...procedure,
    changedAt: rows[0]?.changedAt ?? null,
    prices: rows.map((row) => ({ ...row, itemName: (row.itemId && names.get(row.itemId)) ?? null })),
  }
}

/** Errors for IDs that the list or QuickBooks does not have, by field. */
async function unknownFields(tx: Db, before: readonly Row[], prices: readonly WantedPrice[]): Promise<Record<string, string>> {
  const known = async (kind: 'tax-code' | 'item', ids: (string | null)[]) =>
    new Set((await objectsOf(tx, kind, [...new Set(ids.filter((id) => id !== null))])).map(({ id }) => id))
  const codes = await known(
    'tax-code',
    prices.map(({ taxCodeId }) => taxCodeId),
  )
  const items = await known(
    'item',
    prices.map(({ itemId }) => itemId),
  )
  const isMissing = (ids: ReadonlySet<string>, id: string | null) => id !== null && !ids.has(id)
  return Object.fromEntries(
    prices.flatMap(({ id, taxCodeId, itemId }, index) => [
      ...(id !== null && !before.some((row) => row.id === id) ? [[`prices.${index}.id`, priceListMessages.unknownPrice] as const] : []),
      ...(taxCodeId !== defaultTaxCode && isMissing(codes, taxCodeId)
        ? [[`prices.${index}.taxCodeId`, priceListMessages.unknownTaxCode] as const]
        : []),
      ...(isMissing(items, itemId) ? [[`prices.${index}.itemId`, priceListMessages.unknownItem] as const] : []),
    ]),
  )
}

const auditedOf = ({ kind, description, quantity, unitPriceCents, taxCodeId, itemId }: WantedPrice | Row) => ({
  kind,
  description,
  quantity,
  unitPriceCents,
  taxCodeId,
  itemId,
})

interface Wanted {
  id: string
  version: number
  prices: readonly WantedPrice[]
}

/** Replaces a procedure's price list; existing quotes do not change. Null: procedure not found. */
export const setPriceList = (scope: Scope, { id, version, prices }: Wanted) =>
  scope.db.transaction(async (tx) => {
    const [procedure] = await tx.select().from(procedures).where(eq(procedures.id, id)).for('no key update')
    if (!procedure) return null
    if (procedure.version !== version) return refuse('CHANGED_MEANWHILE')
    const before = (await pricesOf(tx, [id])).get(id) ?? []
    const invalid = await unknownFields(tx, before, prices)
    if (Object.keys(invalid).length > 0) return invalidReference(invalid)
    const [was, is] = [before.map(auditedOf), prices.map(auditedOf)]
    if (JSON.stringify(was) === JSON.stringify(is)) return getPriceList(tx, id)

    const kept = prices.flatMap((price) => price.id ?? [])
    await tx
      .delete(procedurePrices)
      .where(and(eq(procedurePrices.procedureId, id), kept.length > 0 ? notInArray(procedurePrices.id, kept) : undefined))
    for (const [position, price] of prices.entries()) {
      const values = { ...auditedOf(price), position, changedAt: scope.now() }
      if (price.id) await tx.update(procedurePrices).set(values).where(eq(procedurePrices.id, price.id))
      else await tx.insert(procedurePrices).values({ ...values, procedureId: id })
    }
    await tx
      .update(procedures)
      .set({ version: version + 1 })
      .where(eq(procedures.id, id))
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'procedure',
      contactIds: [],
      before: { id, prices: was },
      after: { id, prices: is },
    })
    await publish(tx, 'vocabulary', id)
    return getPriceList(tx, id)
  })
