import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { problemOfAssignee } from '../../crm/contacts/service.ts'
import { isWithinHours } from '../../platform/practice/rules.ts'
import { practiceHours, rooms } from '../../platform/practice/table.ts'
import { appointmentMessages } from './contract.ts'
import type { Row } from './lock.ts'

export interface FieldErrors {
  invalid: Record<string, string>
}

type Where = Pick<Row, 'providerId' | 'roomId'>

/** Anyone who may be a patient's provider may have appointments; and a room has to be in use. What an appointment has already may stay. */
export async function problemsOf(tx: Db, { providerId, roomId }: Where, before: Where | null): Promise<FieldErrors | null> {
  const invalid: Record<string, string> = {}
  if (providerId && providerId !== before?.providerId && (await problemOfAssignee(tx, providerId, assignableRoles.assignedProviderId)))
    invalid.providerId = appointmentMessages.noProvider
  if (roomId && roomId !== before?.roomId) {
    const [room] = await tx.select({ isActive: rooms.isActive }).from(rooms).where(eq(rooms.id, roomId))
    if (!room?.isActive) invalid.roomId = appointmentMessages.noRoom
  }
  return Object.keys(invalid).length > 0 ? { invalid } : null
}

/** Whether the practice is open all the time from one instant to the other. */
export async function isOpen(tx: Db, { env }: Scope, { startsAt, endsAt }: Pick<Row, 'startsAt' | 'endsAt'>): Promise<boolean> {
  return isWithinHours(await tx.select().from(practiceHours), startsAt, endsAt, env.PRACTICE_TIME_ZONE)
}
