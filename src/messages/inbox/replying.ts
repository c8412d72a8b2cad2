import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { listedThread } from './conversations.ts'

/**
 * Tells colleagues who may open the inbox that someone is writing in a conversation. Nothing is stored, and what is written stays in the browser:
 * a page that receives it forgets it after some seconds. Null: not found.
 */
export async function announceReplying(scope: Scope, id: string): Promise<{ id: string } | null> {
  const listed = await listedThread(scope.db, scope.now(), id)
  if (!listed) return null
  await publish(scope.db, 'replying', `${listed.id} ${staff(scope).id}`, { accounts: [], roles: permissions['inbox.conversation'] })
  return { id: listed.id }
}
