import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isWithinHours } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { problemsOfPlace } from '../reservations/service.ts'
import type { Row } from './bookings.ts'
import { appointmentMessages } from './contract.ts'

type Where = Pick<Row, 'providerId' | 'roomId'>

/** Whom and where an appointment may not have, by its fields; null: nothing is wrong. What it has already may stay. */
export async function problemsOf(tx: Db, wanted: Where, before: Where | null) {
  const { provider, room } = await problemsOfPlace(tx, wanted, before, appointmentMessages)
  return provider || room ? invalidReference({ ...(provider && { providerId: provider }), ...(room && { roomId: room }) }) : null
}

/** Whether the practice is open all the time from one instant to the other. */
export async function isOpen(tx: Db, { env }: Scope, { startsAt, endsAt }: Pick<Row, 'startsAt' | 'endsAt'>): Promise<boolean> {
  return isWithinHours(await tx.select().from(practiceHours), startsAt, endsAt, env.PRACTICE_TIME_ZONE)
}
