import { and, asc, eq, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import { recordChange } from '../audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { contactTags, tags } from './table.ts'

export const listTags = (db: Db) =>
  db
    .select()
    .from(tags)
    .orderBy(asc(sql`fold(${tags.name})`))

/** Null when the name is taken. */
export async function createTag(scope: Scope, name: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.insert(tags).values({ name }).onConflictDoNothing().returning()
    if (!row) return null
    await recordChange(tx, scope, { action: 'created', kind: 'tag', contactIds: [], after: row })
    await publish(tx, 'vocabulary', row.id)
    return row
  })
}

/** Takes the tag off every patient too. False when there is no such tag. */
export async function deleteTag(scope: Scope, id: string): Promise<boolean> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(tags).where(eq(tags.id, id)).for('update')
    if (!row) return false
    const tagged = await tx.delete(contactTags).where(eq(contactTags.tagId, id)).returning({ id: contactTags.contactId })
    await tx.delete(tags).where(eq(tags.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'tag', contactIds: tagged.map((contact) => contact.id), before: row })
    await publish(tx, 'vocabulary', id)
    return true
  })
}

/** A patient's tags by name; null when there is no such patient. */
export async function tagsOf(scope: Scope, contactId: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const rows = await scope.db
    .select({ id: tags.id, name: tags.name })
    .from(contactTags)
    .innerJoin(tags, eq(tags.id, contactTags.tagId))
    .where(eq(contactTags.contactId, contactId))
    .orderBy(asc(sql`fold(${tags.name})`))
  await scope.recordView({ kind: 'tag', contactIds: [contactId] })
  return rows
}

/** Puts a tag on a patient or takes it off; doing it again changes nothing. False when there is no such patient or tag. */
export const setTag = (scope: Scope, contactId: string, tagId: string, wanted: boolean): Promise<boolean> =>
  scope.db.transaction(async (tx) => (await setTagOn(tx, scope, contactId, tagId, wanted)) !== 'missing')

/** The same in the caller's transaction. */
export async function setTagOn(
  tx: Db,
  scope: Scope,
  contactId: string,
  tagId: string,
  wanted: boolean,
): Promise<'changed' | 'unchanged' | 'missing'> {
  const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
  const [tag] = await tx.select().from(tags).where(eq(tags.id, tagId)).for('key share')
  if (!contact || !tag) return 'missing'
  const changed = wanted
    ? await tx.insert(contactTags).values({ contactId, tagId }).onConflictDoNothing().returning()
    : await tx
        .delete(contactTags)
        .where(and(eq(contactTags.contactId, contactId), eq(contactTags.tagId, tagId)))
        .returning()
  if (changed.length === 0) return 'unchanged'
  await addInteraction(tx, scope, { contactId, type: 'tag', description: `Tag ${tag.name} ${wanted ? 'added' : 'removed'}` })
  await recordChange(tx, scope, { action: 'changed', kind: 'tag', contactIds: [contactId], after: { tag: tag.name, on: wanted } })
  await publish(tx, 'contact', contactId)
  return 'changed'
}
