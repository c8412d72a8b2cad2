import type { Db } from '../../../kernel/postgres/database.ts'
import { invalidReference } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { isWithinHours } from '../../../platform/practice/rules.ts'
import { practiceHours } from '../../../platform/practice/table.ts'
import { placeProblems } from '../../reservations/service.ts'
import type { Row } from '../bookings.ts'
import { appointmentMessages } from '../contract.ts'

type Where = Pick<Row, 'providerId' | 'roomId'>

/** Field errors for provider and room; null if there are none. The current provider and room (`before`) are always valid. */
export async function problemsOf(tx: Db, wanted: Where, before: Where | null) {
  const { provider, room } = await placeProblems(tx, wanted, before, appointmentMessages)
  return provider || room ? invalidReference({ ...(provider && { providerId: provider }), ...(room && { roomId: room }) }) : null
}

/** Whether the practice is open for the whole period. */
export async function isOpen(tx: Db, { env }: Scope, { startsAt, endsAt }: Pick<Row, 'startsAt' | 'endsAt'>): Promise<boolean> {
  return isWithinHours(await tx.select().from(practiceHours), startsAt, endsAt, env.PRACTICE_TIME_ZONE)
}
