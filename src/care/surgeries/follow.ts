import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { listStages } from '../../crm/pipeline/service.ts'
import { type ContactRow, namesOfPlace } from '../reservations/service.ts'
import type { Locked, Row } from './bookings.ts'
import { mirrored, mirrorFields } from './mirror.ts'
import type { Named } from './labels.ts'

/** A case as a sentence names it. */
export const named = async (tx: Db, { procedures, startsAt, surgeonId: providerId, roomId }: Row): Promise<Named> => ({
  procedures,
  startsAt,
  ...(await namesOfPlace(tx, { providerId, roomId })),
})

interface Followed {
  /** It has been booked, or comes back: the patient's stage is Surgery Booked, wherever they were. */
  isBooked: boolean
  /** What the case was before its day, price or status changed; null: it is new; undefined: these have not changed. */
  was: Row | null | undefined
  /** The timeline's line; null: none. */
  description: string | null
}

/** What follows from a case on its patient's record, who is locked: surgical date, revenue, stage, timeline. Announces both. */
export async function follow(tx: Db, scope: Scope, { row, contact }: Locked, { isBooked, was, description }: Followed): Promise<void> {
  const stageId = isBooked ? await surgeryBooked(tx, contact) : null
  const changed = {
    ...(was === undefined ? {} : await mirrored(tx, scope, contact, was)),
    ...(stageId ? { funnelStageId: stageId } : {}),
  }
  if (Object.keys(changed).length > 0) await writeChange(tx, scope, contact, changed, mirrorFields)
  else if (description !== null) await publish(tx, 'contact', contact.id)
  if (description !== null) {
    const type = isBooked ? 'surgery_booked' : 'contact_updated'
    await addInteraction(tx, scope, { contactId: contact.id, type, description, metadata: { surgeryId: row.id } })
  }
  await announce(tx, row.id)
}

/** Only those who see surgeries hear of one. */
export const announce = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'surgery', id, { accounts: [], roles: permissions['surgeries.list'] })

/** The stage that a surgery moves its patient to; null for anyone who stands at one of its kind already. */
async function surgeryBooked(tx: Db, { funnelStageId }: ContactRow): Promise<string | null> {
  const won = (await listStages(tx)).filter(({ kind }) => kind === 'won')
  if (won.some(({ id }) => id === funnelStageId)) return null
  const inUse = won.filter(({ isActive }) => isActive)
  return (inUse.find(({ value }) => value === 'surgery_booked') ?? inUse[0])?.id ?? null
}
