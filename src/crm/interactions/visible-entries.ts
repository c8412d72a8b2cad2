import { and, inArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Actor, Role } from '../../kernel/access/rules.ts'
import { taskAssignees } from '../tasks/table.ts'
import { type InteractionType, interactionTypes } from './contract.ts'
import { seesAllTaskEntries, seesPayments, visibleTypes } from './policy.ts'
import { interactions } from './table.ts'

/** Limits task entries to the actor's own tasks, unless they see all tasks (spec 6). */
export const matchesVisibleTasks = ({ actor }: { actor: { role: Role; id: string | Placeholder } | null }): SQL | undefined =>
  actor === null || seesAllTaskEntries(actor)
    ? undefined
    : sql`(${interactions.type} <> 'task' or exists (
        select 1 from ${taskAssignees}
        where ${taskAssignees.taskId}::text = ${interactions.metadata}->>'taskId' and ${taskAssignees.profileId} = ${actor.id}))`

/** Emails about payments (receipts, reminders): visible to roles that see payments, even if they can't see clinical entries. */
const isPaymentEmail = sql`(${interactions.type} = 'email' and coalesce(${interactions.metadata}->>'about', '') = 'payment')`

/** Matches entries of these types that the actor may see. */
export function matchesVisibleTypes(
  { actor }: { actor: Pick<Actor, 'role'> | null },
  wanted: readonly InteractionType[] = interactionTypes,
): SQL | undefined {
  const types = visibleTypes(actor).filter((type) => wanted.includes(type))
  const hasVisibleType = inArray(interactions.type, types)
  if (!seesPayments(actor)) return and(hasVisibleType, sql`not ${isPaymentEmail}`)
  return wanted.includes('email') && !types.includes('email') ? or(hasVisibleType, isPaymentEmail) : hasVisibleType
}
