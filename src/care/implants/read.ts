import { and, asc, desc, eq, getTableColumns, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { implantKinds } from '../devices/rules.ts'
import { deviceLots, devices } from '../devices/table.ts'
import { surgeries } from '../surgeries/table.ts'
import type { Implant, SurgeryDevices } from './contract.ts'
import { surgeryDevices } from './table.ts'

const { lotId: _lotId, healthEntryId: _healthEntryId, ...own } = getTableColumns(surgeryDevices)

const select = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      ...own,
      lot: deviceLots.lot,
      expiresOn: deviceLots.expiresOn,
      device: {
        id: devices.id,
        maker: devices.maker,
        model: devices.model,
        size: devices.size,
        kind: devices.kind,
        udiDi: devices.udiDi,
        hasSerials: devices.hasSerials,
      },
      surgeryStartsAt: surgeries.startsAt,
    })
    .from(surgeryDevices)
    .innerJoin(deviceLots, eq(deviceLots.id, surgeryDevices.lotId))
    .innerJoin(devices, eq(devices.id, deviceLots.deviceId))
    .innerJoin(surgeries, eq(surgeries.id, surgeryDevices.surgeryId))
    .where(condition)

const wasPlaced = and(sql`${surgeryDevices.used} > 0`, inArray(devices.kind, [...implantKinds]))

/** What a surgery opened, and what the patient has from others. Null: no such surgery. */
export async function devicesOf(db: Db, surgeryId: string): Promise<(SurgeryDevices & { contactId: string }) | null> {
  const [surgery] = await db.select({ contactId: surgeries.contactId }).from(surgeries).where(eq(surgeries.id, surgeryId))
  if (!surgery) return null
  const { contactId } = surgery
  const [opened, earlier] = await Promise.all([
    select(db, eq(surgeryDevices.surgeryId, surgeryId)).orderBy(asc(surgeryDevices.id)),
    select(
      db,
      and(
        eq(surgeries.contactId, contactId),
        ne(surgeryDevices.surgeryId, surgeryId),
        wasPlaced,
        or(sql`${surgeryDevices.explantedOn} is null`, eq(surgeryDevices.explantSurgeryId, surgeryId)),
      ),
    ).orderBy(desc(surgeries.startsAt), asc(surgeryDevices.id)),
  ])
  return { contactId, devices: opened, earlier }
}

/** The same for a person, which the audit log records. */
export async function viewDevices(scope: Scope, surgeryId: string): Promise<SurgeryDevices | null> {
  const found = await devicesOf(scope.db, surgeryId)
  if (found) await scope.recordView({ kind: 'surgery device', contactIds: [found.contactId] })
  return found
}

/** All implants that a patient has or had, newest first. */
export const implantsOf = (db: Db, contactId: string): Promise<Implant[]> =>
  select(db, and(eq(surgeries.contactId, contactId), wasPlaced)).orderBy(desc(surgeries.startsAt), asc(surgeryDevices.id))

/** The same for a person. Null: no such patient. */
export const viewImplants = (scope: Scope, contactId: string): Promise<Implant[] | null> =>
  readOfPatient(scope, 'surgery device', contactId, implantsOf(scope.db, contactId))

/** How many pieces of a surgery are neither used, wasted nor returned. */
export async function countOpen(db: Db, surgeryId: string): Promise<number> {
  const { quantity, used, wasted, returned } = surgeryDevices
  const [row] = await db
    .select({ open: sql<number>`coalesce(sum(${quantity} - ${used} - ${wasted} - ${returned}), 0)::int` })
    .from(surgeryDevices)
    .where(eq(surgeryDevices.surgeryId, surgeryId))
  return row!.open
}
