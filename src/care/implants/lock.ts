import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { lockContact } from '../../chart/health/service.ts'
import { deviceLots, devices } from '../devices/table.ts'
import { upcomingStatuses } from '../surgeries/rules.ts'
import { surgeries } from '../surgeries/table.ts'
import type { SurgeryDevices } from './contract.ts'
import { devicesOf } from './read.ts'
import { surgeryDevices } from './table.ts'

/*
 * The order of locks: the patient, the surgery, what was opened for it, then the lot. A change of the surgery's status takes the first two as
 * well, so that nothing is opened while a surgery is completed.
 */

type Contact = NonNullable<Awaited<ReturnType<typeof lockContact>>>

export interface LockedSurgery {
  id: string
  contact: Contact
  /** Whether devices may still be opened for it. */
  isOpen: boolean
}

/** Locks the patient, then the surgery; retries if a merge has just moved it to another patient. Null: no such surgery. */
export async function lockSurgery(tx: Db, id: string): Promise<LockedSurgery | null> {
  const [unlocked] = await tx.select({ contactId: surgeries.contactId }).from(surgeries).where(eq(surgeries.id, id))
  if (!unlocked) return null
  const contact = await lockContact(tx, unlocked.contactId)
  const [surgery] = await tx.select().from(surgeries).where(eq(surgeries.id, id)).for('no key update')
  if (!surgery) return null
  if (!contact || surgery.contactId !== contact.id) return lockSurgery(tx, id)
  return { id, contact, isOpen: upcomingStatuses.includes(surgery.status) }
}

export interface LockedDevice {
  surgery: LockedSurgery
  row: typeof surgeryDevices.$inferSelect
  device: typeof devices.$inferSelect
  lot: typeof deviceLots.$inferSelect
}

/** Locks what was opened for a surgery at this version. Null: there is no such row. */
export async function lockDevice(tx: Db, { id, version }: { id: string; version: number }) {
  const [unlocked] = await tx.select({ surgeryId: surgeryDevices.surgeryId }).from(surgeryDevices).where(eq(surgeryDevices.id, id))
  const surgery = unlocked && (await lockSurgery(tx, unlocked.surgeryId))
  const [row] = surgery ? await tx.select().from(surgeryDevices).where(eq(surgeryDevices.id, id)).for('update') : []
  if (!surgery || !row) return null
  if (row.version !== version) return refuse('CHANGED_MEANWHILE')
  const [found] = await tx
    .select({ lot: deviceLots, device: devices })
    .from(deviceLots)
    .innerJoin(devices, eq(devices.id, deviceLots.deviceId))
    .where(eq(deviceLots.id, row.lotId))
  return { surgery, row, ...found! }
}

/** Publishes the change to those who see the surgery and the stock, and loads the response. */
export async function finish(tx: Db, surgery: LockedSurgery, deviceIds: readonly string[]): Promise<SurgeryDevices> {
  await publish(tx, 'surgery', surgery.id, { accounts: [], roles: permissions['surgeries.list'] })
  for (const id of deviceIds) await publish(tx, 'stock', id)
  const { contactId: _, ...found } = (await devicesOf(tx, surgery.id))!
  return found
}
