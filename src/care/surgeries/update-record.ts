import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { listStages } from '../../crm/pipeline/service.ts'
import { type ContactRow, placeNames } from '../reservations/service.ts'
import type { Locked, Row } from './bookings.ts'
import { surgeryFieldChanges, surgeryFields } from './update-contact.ts'
import type { NamedSurgery } from './labels.ts'

/** Adds the names that a sentence about a case needs. */
export const withNames = async (tx: Db, { procedures, startsAt, surgeonId: providerId, roomId }: Row): Promise<NamedSurgery> => ({
  procedures,
  startsAt,
  ...(await placeNames(tx, { providerId, roomId })),
})

interface RecordUpdate {
  /** The case was booked or reinstated: moves the patient to Surgery Booked from any stage. */
  isBooked: boolean
  /** The case before a change of day, price or status; null for a new case; undefined if none of these changed. */
  before: Row | null | undefined
  /** The timeline entry; null for none. */
  description: string | null
}

/** Updates the locked patient's surgical date, revenue, stage and timeline, and publishes the patient and the surgery. */
export async function updatePatientRecord(
  tx: Db,
  scope: Scope,
  { row, contact }: Locked,
  { isBooked, before, description }: RecordUpdate,
): Promise<void> {
  const stageId = isBooked ? await surgeryBookedStage(tx, contact) : null
  const changed = {
    ...(before === undefined ? {} : await surgeryFieldChanges(tx, scope, contact, before)),
    ...(stageId ? { funnelStageId: stageId } : {}),
  }
  if (Object.keys(changed).length > 0) await writeChange(tx, scope, contact, changed, surgeryFields)
  else if (description !== null) await publish(tx, 'contact', contact.id)
  if (description !== null) {
    const type = isBooked ? 'surgery_booked' : 'contact_updated'
    await addInteraction(tx, scope, { contactId: contact.id, type, description, metadata: { surgeryId: row.id } })
  }
  await announceSurgery(tx, row.id)
}

/** Publishes a change of a surgery to accounts that may list surgeries. */
export const announceSurgery = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'surgery', id, { accounts: [], roles: permissions['surgeries.list'] })

/** The stage to move the patient to; null if they already are in a won stage. */
async function surgeryBookedStage(tx: Db, { funnelStageId }: ContactRow): Promise<string | null> {
  const won = (await listStages(tx)).filter(({ kind }) => kind === 'won')
  if (won.some(({ id }) => id === funnelStageId)) return null
  const inUse = won.filter(({ isActive }) => isActive)
  return (inUse.find(({ value }) => value === 'surgery_booked') ?? inUse[0])?.id ?? null
}
