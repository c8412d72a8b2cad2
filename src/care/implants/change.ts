import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { endEntry, insertEntry } from '../../chart/health/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { deviceName, isImplant, type Side } from '../devices/rules.ts'
import { addMovements, wrongPlace } from '../devices/service.ts'
import { joinRecalls } from '../recalls/service.ts'
import { surgeries } from '../surgeries/table.ts'
import { implantMessages } from './contract.ts'
import { finish, lockDevice, type LockedDevice, lockSurgery } from './lock.ts'
import { implantsOf } from './read.ts'
import { type ExplantFate, isPresent, isWrongSide, needsSide, openPieces } from './rules.ts'
import { surgeryDevices } from './table.ts'

interface Ref {
  id: string
  version: number
}
type Row = typeof surgeryDevices.$inferSelect
type Change = Partial<Omit<Row, 'id' | 'version' | 'surgeryId' | 'lotId'>>

interface Use extends Ref {
  quantity: number
  side: Side | null
  position: string | null
  usedBy: string
}

/** Opened pieces were placed in the patient or used on them. An implant joins the health summary. Null: no such row. */
export const use = (scope: Scope, { id, version, quantity, side: given, position, usedBy }: Use) =>
  scope.db.transaction(async (tx) => {
    const locked = await lockOpen(tx, { id, version }, quantity)
    if (locked === null || isRefusal(locked)) return locked
    const { row, device, lot, surgery } = locked
    const side = given ?? row.side
    if (needsSide(device.kind) && side === null) return invalidReference({ side: implantMessages.side })
    if (isWrongSide(device.side, side)) return refuse('WRONG_SIDE')
    const [person] = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, usedBy))
    if (!person) return invalidReference({ usedBy: implantMessages.noUser })
    const isFirst = row.used === 0
    const healthEntryId =
      isImplant(device.kind) && isFirst
        ? await insertEntry(tx, scope, surgery.contact, {
            kind: 'implant',
            name: [deviceName(device), side && `(${side})`].filter(Boolean).join(' '),
            detail: [`Lot ${lot.lot}`, row.serial && `serial ${row.serial}`, position].filter(Boolean).join(', '),
            year: Number(dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE).slice(0, 4)),
            ...noHealthFields,
          })
        : row.healthEntryId
    await addMovements(tx, scope, [{ ...pieceOf(row, quantity), kind: 'use' }])
    if (isImplant(device.kind)) await joinRecalls(tx, { ...device, lot: lot.lot, serial: row.serial }, surgery.contact.id)
    const change = { used: row.used + quantity, side, position, usedBy, usedAt: scope.now(), healthEntryId }
    return save(tx, scope, locked, change, isFirst && isImplant(device.kind))
  })

const noHealthFields = { severity: null, dose: null, stopDays: null, isWeightLoss: false, anaesthesia: null } as const

/** Null: no such row. */
export const waste = (scope: Scope, { id, version, quantity, reason }: Ref & { quantity: number; reason: string }) =>
  scope.db.transaction(async (tx) => {
    const locked = await lockOpen(tx, { id, version }, quantity)
    if (locked === null || isRefusal(locked)) return locked
    await addMovements(tx, scope, [{ ...pieceOf(locked.row, quantity), kind: 'waste', reason }])
    return save(tx, scope, locked, { wasted: locked.row.wasted + quantity, note: reason })
  })

/** Pieces that were not used go back to a place. Null: no such row. */
export const returnToStock = (scope: Scope, { id, version, quantity, placeId }: Ref & { quantity: number; placeId: string }) =>
  scope.db.transaction(async (tx) => {
    const locked = await lockOpen(tx, { id, version }, quantity)
    if (locked === null || isRefusal(locked)) return locked
    const wrong = await wrongPlace(tx, 'placeId', placeId)
    if (wrong) return invalidReference(wrong)
    await addMovements(tx, scope, [{ ...pieceOf(locked.row, quantity), kind: 'return', toPlaceId: placeId }])
    return save(tx, scope, locked, { returned: locked.row.returned + quantity })
  })

/** A use that was recorded by mistake: its pieces are opened again, and the health summary says that it was an error. Null: no such row. */
export const correct = (scope: Scope, { id, version, reason }: Ref & { reason: string }) =>
  scope.db.transaction(async (tx) => {
    const locked = await lockDevice(tx, { id, version })
    if (locked === null || isRefusal(locked)) return locked
    const { row, surgery } = locked
    if (!surgery.isOpen) return refuse('SURGERY_CLOSED')
    if (row.used === 0 || row.explantedOn !== null) return refuse('NOT_USED')
    await addMovements(tx, scope, [{ ...pieceOf(row, row.used), kind: 'correct', reason }])
    const isCharted = row.healthEntryId !== null
    if (isCharted) await endEntry(tx, scope, surgery.contact, row.healthEntryId!, { status: 'entered_in_error', errorReason: reason })
    return save(tx, scope, locked, { used: 0, usedBy: null, usedAt: null, note: reason, healthEntryId: null }, isCharted)
  })

interface Explant extends Ref {
  surgeryId: string | null
  explantedOn: string
  reason: string
  fate: ExplantFate
}

/** An implant was taken out: the health summary says that the patient had it. Null: no such row. */
export const explant = (scope: Scope, { id, version, surgeryId, explantedOn, reason, fate }: Explant) =>
  scope.db.transaction(async (tx) => {
    const locked = await lockDevice(tx, { id, version })
    if (locked === null || isRefusal(locked)) return locked
    const { row, device, surgery } = locked
    const zone = scope.env.PRACTICE_TIME_ZONE
    if (!isPresent({ ...row, kind: device.kind })) return refuse('NOT_PRESENT')
    if (explantedOn > dayAt(scope.now(), zone)) return invalidReference({ explantedOn: implantMessages.future })
    if (explantedOn < dayAt(row.usedAt!, zone)) return invalidReference({ explantedOn: implantMessages.beforePlaced })
    if (surgeryId !== null) {
      const [other] = await tx.select({ contactId: surgeries.contactId }).from(surgeries).where(eq(surgeries.id, surgeryId))
      if (other?.contactId !== surgery.contact.id) return invalidReference({ surgeryId: implantMessages.surgery })
    }
    await addMovements(tx, scope, [{ ...pieceOf(row, row.used), kind: 'explant', reason }])
    if (row.healthEntryId) await endEntry(tx, scope, surgery.contact, row.healthEntryId, { status: 'past', errorReason: null })
    const change = {
      explantedOn,
      explantSurgeryId: surgeryId,
      explantReason: reason,
      explantFate: fate,
      explantedBy: staff(scope).id,
    }
    await save(tx, scope, locked, change, true)
    if (surgeryId !== null) await finish(tx, (await lockSurgery(tx, surgeryId))!, [])
    return implantsOf(tx, surgery.contact.id)
  })

const pieceOf = ({ id, lotId, serial }: Row, quantity: number) => ({ lotId, serial, quantity, surgeryDeviceId: id })

/** Locks a row of a surgery that is not completed, with so many opened pieces. */
async function lockOpen(tx: Db, ref: Ref, quantity: number) {
  const locked = await lockDevice(tx, ref)
  if (locked === null || isRefusal(locked)) return locked
  if (!locked.surgery.isOpen) return refuse('SURGERY_CLOSED')
  return openPieces(locked.row) < quantity ? refuse('NOT_OPEN') : locked
}

async function save(tx: Db, scope: Scope, { row: before, surgery, device }: LockedDevice, change: Change, isCharted = false) {
  await tx
    .update(surgeryDevices)
    .set({ ...change, version: before.version + 1 })
    .where(eq(surgeryDevices.id, before.id))
  const changed = Object.keys(change) as (keyof Change)[]
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'surgery device',
    contactIds: [surgery.contact.id],
    before: { id: before.id, ...Object.fromEntries(changed.map((field) => [field, before[field]])) },
    after: { id: before.id, ...change },
  })
  if (isCharted) await publish(tx, 'chart', surgery.contact.id)
  return finish(tx, surgery, [device.id])
}
