import { and, count, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { maxPins } from './contract.ts'
import { visibleTypes } from './policy.ts'
import { interactions } from './table.ts'

const pinnedOf = (contactId: string) => and(eq(interactions.contactId, contactId), isNotNull(interactions.pinnedAt))

/** A patient's pinned notes, the last pinned first, as far as the actor may see them. Null when there is no such patient. */
export async function pinnedInteractions(scope: Scope, contactId: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const rows = await scope.db
    .select()
    .from(interactions)
    .where(and(pinnedOf(contactId), inArray(interactions.type, visibleTypes(scope.actor))))
    .orderBy(desc(interactions.pinnedAt), desc(interactions.id))
  await scope.recordView({ kind: 'interaction', contactIds: [contactId] })
  return rows
}

/** Pins a note above the timeline, or lets it go; to do what is done already is no change. The patient's row keeps rivals in line. */
export async function setPinned(
  scope: Scope,
  { contactId, id, pinned }: { contactId: string; id: string; pinned: boolean },
): Promise<'done' | 'missing' | 'not-a-note' | 'too-many'> {
  const actor = staff(scope)
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('update')
    const [entry] = await tx
      .select()
      .from(interactions)
      .where(and(eq(interactions.id, id), eq(interactions.contactId, contactId)))
    if (!contact || !entry) return 'missing'
    if (entry.type !== 'note') return 'not-a-note'
    if ((entry.pinnedAt !== null) === pinned) return 'done'
    const [others] = await tx.select({ count: count() }).from(interactions).where(pinnedOf(contactId))
    if (pinned && others!.count >= maxPins) return 'too-many'

    const after = pinned ? { pinnedAt: scope.now(), pinnedBy: actor.id } : { pinnedAt: null, pinnedBy: null }
    await tx.update(interactions).set(after).where(eq(interactions.id, id))
    const { pinnedAt, pinnedBy } = entry
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'interaction',
      contactIds: [contactId],
      before: { id, pinnedAt, pinnedBy },
      after: { id, ...after },
    })
    await publish(tx, 'contact', contactId)
    return 'done'
  })
}
