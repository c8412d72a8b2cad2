import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { maySee } from '../../kernel/access/information.ts'
import { errorCode, isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { getDevice, stockDays } from './catalogue.ts'
import { type Device, deviceMessages, type Received } from './contract.ts'
import { deviceLots, devices, stockLevels, stockMovements, stockPlaces } from './table.ts'

export type Lot = typeof deviceLots.$inferSelect
type NewMovement = Omit<typeof stockMovements.$inferInsert, 'id' | 'by' | 'at'>

/** Pieces of a lot at a place. */
interface Pieces {
  lotId: string
  serial: string | null
  quantity: number
  fromPlaceId: string
}

/**
 * Adds to the ledger, with who and when. The database refuses what would make stock negative or put a serial number in two places: the caller
 * checks before, under the lock of the lot (`lockLot`), and turns what is left into a refusal.
 */
export async function addMovements(tx: Db, scope: Scope, movements: readonly NewMovement[]): Promise<void> {
  const made = movements.map((movement) => ({ ...movement, by: scope.actor?.id ?? null, at: scope.now() }))
  for (let from = 0; from < made.length; from += 100) await tx.insert(stockMovements).values(made.slice(from, from + 100))
}

/** The lot with its device. Movements of a lot wait for each other. */
export async function lockLot(tx: Db, lotId: string): Promise<{ lot: Lot; device: typeof devices.$inferSelect } | null> {
  const [lot] = await tx.select().from(deviceLots).where(eq(deviceLots.id, lotId)).for('no key update')
  if (!lot) return null
  const [device] = await tx.select().from(devices).where(eq(devices.id, lot.deviceId))
  return { lot, device: device! }
}

/** Whether there are so many pieces at a place. The caller holds the lot's lock, so that it stays true until it commits. */
async function hasPieces(tx: Db, { lotId, serial, quantity, fromPlaceId }: Pieces): Promise<boolean> {
  const isSame = and(
    eq(stockLevels.lotId, lotId),
    sql`${stockLevels.serial} is not distinct from ${serial}`,
    eq(stockLevels.placeId, fromPlaceId),
  )
  return (await tx.$count(stockLevels, and(isSame, sql`${stockLevels.quantity} >= ${quantity}`))) > 0
}

/** Receives pieces of a lot, and makes the lot known. Null: no such device. */
export async function receive(scope: Scope, { id, placeId, lot: name, expiresOn, madeOn, serials, quantity }: Received) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [device] = await tx.select().from(devices).where(eq(devices.id, id)).for('key share')
      if (!device) return null
      const wrong = wrongReceipt(scope, device, { expiresOn, madeOn, serials, quantity }) ?? (await wrongPlace(tx, 'placeId', placeId))
      if (wrong) return invalidReference(wrong)
      await tx.insert(deviceLots).values({ deviceId: id, lot: name, expiresOn, madeOn }).onConflictDoNothing()
      const isLot = and(eq(deviceLots.deviceId, id), eq(deviceLots.lot, name))
      const [lot] = await tx.select().from(deviceLots).where(isLot).for('no key update')
      if (lot!.expiresOn !== expiresOn)
        return invalidReference({ expiresOn: `This lot is in the catalogue with the expiry ${lot!.expiresOn ?? 'none'}` })
      const known = await tx
        .select({ serial: stockLevels.serial })
        .from(stockLevels)
        .where(and(eq(stockLevels.deviceId, id), inArray(stockLevels.serial, serials), sql`${stockLevels.quantity} > 0`))
      if (known.length > 0) return refuse('SERIAL_IN_STOCK', { serials: known.map(({ serial }) => serial!) })
      const common = { kind: 'receive', lotId: lot!.id, toPlaceId: placeId } as const
      await addMovements(
        tx,
        scope,
        // Sorted, so that two receipts of the same numbers in two lots do not wait for each other.
        device.hasSerials ? serials.toSorted().map((serial) => ({ ...common, serial, quantity: 1 })) : [{ ...common, quantity: quantity! }],
      )
      const after = { deviceId: id, lot: name, placeId, ...(device.hasSerials ? { serials } : { quantity }) }
      await recordChange(tx, scope, { action: 'created', kind: 'stock', contactIds: [], after })
      return finish(tx, scope, id)
    })
  } catch (error) {
    // Someone else received the same serial number as part of another lot at the same moment.
    if (isDuplicate(error, 'stock_levels_serial')) return refuse('SERIAL_IN_STOCK', { serials })
    if (violated(error) === 'stock_movements_used') return refuse('ALREADY_USED')
    throw error
  }
}

function wrongReceipt(
  scope: Scope,
  { hasSerials, isSterile }: Pick<Device, 'hasSerials' | 'isSterile'>,
  { expiresOn, madeOn, serials, quantity }: Pick<Received, 'expiresOn' | 'madeOn' | 'serials' | 'quantity'>,
): Record<string, string> | null {
  const { today } = stockDays(scope)
  const wrong: Record<string, string> = {}
  if (hasSerials && serials.length === 0) wrong.serials = deviceMessages.serials
  if (hasSerials && quantity !== null) wrong.quantity = deviceMessages.noQuantity
  if (!hasSerials && serials.length > 0) wrong.serials = deviceMessages.noSerials
  if (!hasSerials && quantity === null) wrong.quantity = deviceMessages.quantity
  if (isSterile && expiresOn === null) wrong.expiresOn = deviceMessages.expiry
  if (expiresOn !== null && expiresOn < today) wrong.expiresOn = deviceMessages.expired
  if (madeOn !== null && (madeOn > today || (expiresOn !== null && madeOn > expiresOn))) wrong.madeOn = deviceMessages.madeOn
  return Object.keys(wrong).length > 0 ? wrong : null
}

/** Waits for a change of the place, which then cannot end before this commits. */
export async function wrongPlace(tx: Db, field: string, placeId: string): Promise<Record<string, string> | null> {
  const [place] = await tx.select().from(stockPlaces).where(eq(stockPlaces.id, placeId)).for('key share')
  return place?.isActive ? null : { [field]: deviceMessages.noPlace }
}

/** Null: no such lot. */
export const move = (scope: Scope, { toPlaceId, ...pieces }: Pieces & { toPlaceId: string }) =>
  takeOut(scope, pieces, { kind: 'move', toPlaceId }, async (tx) => {
    if (toPlaceId === pieces.fromPlaceId) return { toPlaceId: deviceMessages.samePlace }
    return wrongPlace(tx, 'toPlaceId', toPlaceId)
  })

/** Null: no such lot. */
export const waste = (scope: Scope, { reason, ...pieces }: Pieces & { reason: string }) => takeOut(scope, pieces, { kind: 'waste', reason })

/** Returns pieces to the supplier. Null: no such lot. */
export const returnToSupplier = (scope: Scope, { reason, ...pieces }: Pieces & { reason: string | null }) =>
  takeOut(scope, pieces, { kind: 'return', reason })

function takeOut(
  scope: Scope,
  pieces: Pieces,
  movement: Pick<NewMovement, 'kind' | 'toPlaceId' | 'reason'>,
  problems: (tx: Db) => Promise<Record<string, string> | null> = async () => null,
) {
  return scope.db.transaction(async (tx) => {
    const found = await lockLot(tx, pieces.lotId)
    if (!found) return null
    const wrong = wrongPieces(found.device, pieces) ?? (await problems(tx))
    if (wrong) return invalidReference(wrong)
    if (!(await hasPieces(tx, pieces))) return refuse('NOT_IN_STOCK')
    await addMovements(tx, scope, [{ ...pieces, ...movement }])
    const after = { ...pieces, ...movement, deviceId: found.device.id, lot: found.lot.lot }
    await recordChange(tx, scope, { action: 'changed', kind: 'stock', contactIds: [], after })
    return finish(tx, scope, found.device.id)
  })
}

export function wrongPieces(
  { hasSerials }: Pick<Device, 'hasSerials'>,
  { serial, quantity }: Pick<Pieces, 'serial' | 'quantity'>,
): Record<string, string> | null {
  if (!hasSerials) return serial === null ? null : { serial: deviceMessages.noSerials }
  if (serial === null) return { serial: deviceMessages.serial }
  return quantity === 1 ? null : { quantity: deviceMessages.noQuantity }
}

async function finish(tx: Db, scope: Scope, deviceId: string) {
  await publish(tx, 'stock', deviceId)
  return (await getDevice(tx, scope, deviceId))!
}

/** The constraint that refused a statement, or null. */
function violated(error: unknown): string | null {
  if (errorCode(error) !== '23514') return null
  for (let e = error as { constraint?: unknown; cause?: unknown } | undefined; e && typeof e === 'object'; e = e.cause as typeof e) {
    if (typeof e.constraint === 'string') return e.constraint
  }
  return null
}

/** A page of a device's movements, newest first; null if there is no such device. */
export async function listMovements(scope: Scope, { id, cursor, limit }: { id: string; cursor?: InstantPlace | undefined; limit: number }) {
  const [device] = await scope.db.select({ id: devices.id }).from(devices).where(eq(devices.id, id))
  if (!device) return null
  const rows = await scope.db
    .select({
      ...getTableColumns(stockMovements),
      lot: deviceLots.lot,
      isForSurgery: sql<boolean>`${stockMovements.surgeryDeviceId} is not null`,
      exact: exactInstant(stockMovements.at),
    })
    .from(stockMovements)
    .innerJoin(deviceLots, eq(deviceLots.id, stockMovements.lotId))
    .where(and(eq(deviceLots.deviceId, id), isOlderThan(cursor, stockMovements.at, stockMovements.id)))
    .orderBy(desc(stockMovements.at), desc(stockMovements.id))
    .limit(limit + 1)
  // Why something became of a piece in a surgery is clinical.
  const seesSurgeries = maySee(scope.actor, 'implant')
  const shown = rows.map((row) => (row.isForSurgery && !seesSurgeries ? { ...row, reason: null } : row))
  return cursorPage(shown, limit, placeOf)
}
