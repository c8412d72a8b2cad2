import { and, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { profiles } from '../../platform/auth/table.ts'
import { addTask } from '../../crm/tasks/service.ts'

interface PhotoAlert {
  title: string
  /** Tasks are seen by others too, so it names no one: the audit log says who it was. */
  description: string
  /** The account that caused it, which needs no warning of itself unless it is the only administrator's. */
  except?: string
}

/** Gives every active administrator a task that is due now, which notifies them at once. It is no one's: who caused it cannot edit it as its creator. */
export async function alertAdministrators(tx: Db, scope: Scope, { title, description, except }: PhotoAlert): Promise<void> {
  const admins = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    .orderBy(profiles.id)
  const { day, time } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const others = admins.filter(({ id }) => id !== except)
  // The only administrator is warned too: the account may be in other hands.
  for (const { id } of others.length > 0 ? others : admins) {
    const task = { title, description, type: 'Follow-up', dueDate: day, dueTimeConstraint: time, contactId: null } as const
    await addTask(tx, { ...scope, actor: null }, { ...task, people: [id] })
  }
}
