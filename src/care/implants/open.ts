import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { isDuplicate } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { deviceName } from '../devices/rules.ts'
import { addMovements, lockLot, stockDays, wrongPieces } from '../devices/service.ts'
import { deviceLots, devices, stockLevels } from '../devices/table.ts'
import { isRecalled } from '../recalls/service.ts'
import type { Opened } from './contract.ts'
import { lockSurgery, finish } from './lock.ts'
import { isWrongSide, maxLines } from './rules.ts'
import { surgeryDevices } from './table.ts'

/**
 * Opens pieces of stock for a surgery: takes them from their place. This is what a scan in the operating room does, so whatever must not reach
 * the patient is refused here with its own code. Null: no such surgery.
 */
export async function open(scope: Scope, { id: surgeryId, udiDi, deviceId, lot: lotName, serial, expiresOn, quantity, side }: Opened) {
  try {
    return await scope.db.transaction(async (tx) => {
      const surgery = await lockSurgery(tx, surgeryId)
      if (!surgery) return null
      if (!surgery.isOpen) return refuse('SURGERY_CLOSED')
      if ((await tx.$count(surgeryDevices, eq(surgeryDevices.surgeryId, surgeryId))) >= maxLines) return refuse('FULL')
      const found = await findLot(tx, { udiDi, deviceId, lotName })
      if (isRefusal(found)) return found
      const { device, lot } = found
      const wrong = wrongPieces(device, { serial, quantity })
      if (wrong) return invalidReference(wrong)
      if (expiresOn !== null && expiresOn !== lot.expiresOn) return refuse('OTHER_EXPIRY')
      if (lot.expiresOn !== null && lot.expiresOn < stockDays(scope).today) return refuse('EXPIRED')
      if (await isRecalled(tx, { ...device, lot: lot.lot, serial })) return refuse('RECALLED')
      if (isWrongSide(device.side, side)) return refuse('WRONG_SIDE')
      const places = await placesOf(tx, lot.id, serial)
      const place = places.find((one) => one.placeId !== null && one.quantity >= quantity)
      if (!place) return refuse(serial !== null && (await wasTaken(tx, device.id, serial)) ? 'ALREADY_USED' : 'NOT_IN_STOCK')
      const row = { id: uuidv7(), surgeryId, lotId: lot.id, serial, quantity, side: side ?? device.side }
      await tx.insert(surgeryDevices).values({ ...row, openedBy: staff(scope).id, openedAt: scope.now() })
      await addMovements(tx, scope, [
        { kind: 'open', lotId: lot.id, serial, quantity, fromPlaceId: place.placeId, surgeryDeviceId: row.id },
      ])
      const after = { ...row, device: deviceName(device), lot: lot.lot }
      await recordChange(tx, scope, { action: 'created', kind: 'surgery device', contactIds: [surgery.contact.id], after })
      return finish(tx, surgery, [device.id])
    })
  } catch (error) {
    if (isDuplicate(error, 'stock_levels_serial')) return refuse('ALREADY_USED')
    throw error
  }
}

/** Locks the lot of a label. */
async function findLot(tx: Db, { udiDi, deviceId, lotName }: Pick<Opened, 'udiDi' | 'deviceId'> & { lotName: string }) {
  const [device] = await tx
    .select({ id: devices.id })
    .from(devices)
    .where(udiDi === null ? eq(devices.id, deviceId!) : eq(devices.udiDi, udiDi))
  if (!device) return refuse('UNKNOWN_DEVICE')
  const isLot = and(eq(deviceLots.deviceId, device.id), eq(deviceLots.lot, lotName))
  const [lot] = await tx.select({ id: deviceLots.id }).from(deviceLots).where(isLot)
  return (lot && (await lockLot(tx, lot.id))) ?? refuse('UNKNOWN_LOT')
}

/** Where pieces of a lot are, most at one place first. */
const placesOf = (tx: Db, lotId: string, serial: string | null) =>
  tx
    .select({ placeId: stockLevels.placeId, quantity: stockLevels.quantity })
    .from(stockLevels)
    .where(
      and(
        eq(stockLevels.lotId, lotId),
        sql`${stockLevels.serial} is not distinct from ${serial} and ${stockLevels.quantity} > 0 and ${stockLevels.placeId} is not null`,
      ),
    )
    .orderBy(sql`${stockLevels.quantity} desc`, stockLevels.placeId)

/** Whether a serial number was opened or used, for any surgery. */
async function wasTaken(tx: Db, deviceId: string, serial: string): Promise<boolean> {
  const isOfDevice = and(eq(deviceLots.deviceId, deviceId), eq(surgeryDevices.serial, serial))
  const rows = await tx
    .select({ id: surgeryDevices.id })
    .from(surgeryDevices)
    .innerJoin(deviceLots, eq(deviceLots.id, surgeryDevices.lotId))
    .where(and(isOfDevice, sql`${surgeryDevices.wasted} + ${surgeryDevices.returned} < ${surgeryDevices.quantity}`))
    .limit(1)
  return rows.length > 0
}
