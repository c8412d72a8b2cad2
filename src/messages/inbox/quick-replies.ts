import { asc, eq, sql } from 'drizzle-orm'
import { isDuplicate } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { announceConversation } from './announce.ts'
import { quickReplies } from './table.ts'

type Content = Pick<typeof quickReplies.$inferSelect, 'name' | 'language' | 'text'>

/** The practice's short answers, by name. */
export const listQuickReplies = ({ db }: Pick<Scope, 'db'>) =>
  db
    .select()
    .from(quickReplies)
    .orderBy(asc(sql`fold(${quickReplies.name})`), asc(quickReplies.language))

/** Adds one, or changes the one with this id. NAME_TAKEN: another one in this language has the name. Null: not found. */
export async function saveQuickReply(scope: Scope, { id, ...content }: Content & { id?: string | undefined }) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = id ? await tx.select().from(quickReplies).where(eq(quickReplies.id, id)).for('update') : []
      if (id && !before) return null
      const [row] = id
        ? await tx.update(quickReplies).set(content).where(eq(quickReplies.id, id)).returning()
        : await tx.insert(quickReplies).values(content).returning()
      await recordChange(tx, scope, { action: before ? 'changed' : 'created', kind: 'quick reply', contactIds: [], before, after: row })
      await announceConversation(tx, row!.id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'quick_replies_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** Null: not found. */
export async function deleteQuickReply(scope: Scope, id: string): Promise<{ id: string } | null> {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.delete(quickReplies).where(eq(quickReplies.id, id)).returning()
    if (!before) return null
    await recordChange(tx, scope, { action: 'deleted', kind: 'quick reply', contactIds: [], before })
    await announceConversation(tx, id)
    return { id }
  })
}
