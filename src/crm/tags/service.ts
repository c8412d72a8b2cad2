import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish, publishEach } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { recordChange, recordChanges } from '../../platform/audit/service.ts'
import { readOfPatient } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addInteractions } from '../interactions/service.ts'
import { contactTags, tags } from './table.ts'

export const listTags = (db: Db) =>
  db
    .select()
    .from(tags)
    .orderBy(asc(sql`fold(${tags.name})`))

export async function createTag(scope: Scope, name: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.insert(tags).values({ name }).onConflictDoNothing().returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'tag', contactIds: [], after: row })
    await publish(tx, 'vocabulary', row.id)
    return row
  })
}

/** Deletes a tag and removes it from every patient. */
export async function deleteTag(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(tags).where(eq(tags.id, id)).for('update')
    if (!row) return null
    const tagged = await tx.delete(contactTags).where(eq(contactTags.tagId, id)).returning({ id: contactTags.contactId })
    await tx.delete(tags).where(eq(tags.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'tag', contactIds: tagged.map((contact) => contact.id), before: row })
    await publish(tx, 'vocabulary', id)
    return true
  })
}

/** The number of patients per tag; unused tags may be missing. */
export const countByTag = (db: Db) => db.select({ tagId: contactTags.tagId, count: count() }).from(contactTags).groupBy(contactTags.tagId)

/** Renames a tag. */
export async function renameTag(scope: Scope, { id, name }: { id: string; name: string }) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(tags).where(eq(tags.id, id)).for('no key update')
      if (!before || before.name === name) return before ?? null
      const [row] = await tx.update(tags).set({ name }).where(eq(tags.id, id)).returning()
      const change = { before: { id, name: before.name }, after: { id, name } }
      await recordChange(tx, scope, { action: 'changed', kind: 'tag', contactIds: [], ...change })
      await publish(tx, 'vocabulary', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'tags_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/**
 * Replaces a tag with another on all its patients, and deletes it. As with a deletion, the audit log lists the patients, but their
 * timelines get no entry, because tags are vocabulary of the practice.
 */
export async function mergeTags(scope: Scope, { id, into }: { id: string; into: string }) {
  return scope.db.transaction(async (tx) => {
    // Locked in id order, so that two opposite merges do not deadlock.
    const locked = await tx
      .select()
      .from(tags)
      .where(inArray(tags.id, [id, into]))
      .orderBy(asc(tags.id))
      .for('update')
    const [from, to] = [id, into].map((wanted) => locked.find((one) => one.id === wanted))
    if (!from) return null
    if (!to || to === from) return refuse('INVALID_TARGET')
    const tagged = await tx.delete(contactTags).where(eq(contactTags.tagId, id)).returning({ id: contactTags.contactId })
    const contactIds = tagged.map((contact) => contact.id)
    await tx.execute(sql`
      insert into contact_tags (contact_id, tag_id) select contact, ${into}::uuid from unnest(${sql.param(contactIds)}::uuid[]) as contact
      on conflict do nothing`)
    await tx.delete(tags).where(eq(tags.id, id))
    const change = { before: { id, name: from.name }, after: { id: into, name: to.name } }
    await recordChange(tx, scope, { action: 'merged', kind: 'tag', contactIds, ...change })
    for (const one of [id, into]) await publish(tx, 'vocabulary', one)
    return { count: contactIds.length }
  })
}

/** A patient's tags by name, or null for an unknown patient. */
export async function tagsOf(scope: Scope, contactId: string) {
  const read = scope.db
    .select({ id: tags.id, name: tags.name })
    .from(contactTags)
    .innerJoin(tags, eq(tags.id, contactTags.tagId))
    .where(eq(contactTags.contactId, contactId))
    .orderBy(asc(sql`fold(${tags.name})`))
  return readOfPatient(scope, 'tag', contactId, read)
}

/** Adds a tag to a patient or removes it. Returns whether that was a change, or null for an unknown patient or tag. */
export const setTag = (scope: Scope, contactId: string, tagId: string, wanted: boolean): Promise<boolean | null> =>
  scope.db.transaction((tx) => setTagOn(tx, scope, contactId, tagId, wanted))

/** The same in the caller's transaction. */
export const setTagOn = async (tx: Db, scope: Scope, contactId: string, tagId: string, wanted: boolean): Promise<boolean | null> =>
  (await setTagOnEach(tx, scope, [contactId], tagId, wanted)).get(contactId) ?? null

/** The same for several patients: whether it was a change, by patient. Unknown patients are left out, and all of them for an unknown tag. */
export async function setTagOnEach(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  tagId: string,
  wanted: boolean,
): Promise<Map<string, boolean>> {
  const known = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(inArray(contacts.id, [...contactIds]))
    .orderBy(contacts.id)
    .for('key share')
  const [tag] = await tx.select().from(tags).where(eq(tags.id, tagId)).for('key share')
  if (!tag || known.length === 0) return new Map()
  const ids = known.map(({ id }) => id)
  const changed = wanted
    ? await tx
        .insert(contactTags)
        .values(ids.map((contactId) => ({ contactId, tagId })))
        .onConflictDoNothing()
        .returning()
    : await tx
        .delete(contactTags)
        .where(and(inArray(contactTags.contactId, ids), eq(contactTags.tagId, tagId)))
        .returning()
  const changedIds = changed.map(({ contactId }) => contactId)
  const description = `Tag ${tag.name} ${wanted ? 'added' : 'removed'}`
  await addInteractions(
    tx,
    scope,
    'tag',
    changedIds,
    changedIds.map(() => description),
  )
  await recordChanges(
    tx,
    scope,
    changedIds.map((id) => ({ action: 'changed' as const, kind: 'tag' as const, contactIds: [id], after: { tag: tag.name, on: wanted } })),
  )
  await publishEach(tx, 'contact', changedIds)
  return new Map(ids.map((id) => [id, changedIds.includes(id)]))
}

/** The ids of the tags with these names, in any case. Creates missing tags. */
export async function ensureTags(tx: Db, scope: Scope, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const wanted = [...new Set(names)]
  const find = async () => {
    const { rows } = await tx.execute<{ name: string; id: string }>(sql`
      select wanted.name, tags.id from unnest(${sql.param(wanted)}::text[]) as wanted(name) join tags on lower(tags.name) = lower(wanted.name)`)
    return new Map(rows.map(({ name, id }) => [name, id]))
  }
  const known = await find()
  const missing = wanted.filter((name) => !known.has(name))
  if (missing.length === 0) return known
  const created = await tx
    .insert(tags)
    .values(missing.map((name) => ({ name })))
    .onConflictDoNothing()
    .returning()
  for (const tag of created) {
    await recordChange(tx, scope, { action: 'created', kind: 'tag', contactIds: [], after: tag })
    await publish(tx, 'vocabulary', tag.id)
  }
  return find()
}

type OnContact = { contactId: string; tagId: string }

/** Adds tags to patients in one statement and returns those actually added. The caller writes the timelines. */
export async function addTags(tx: Db, wanted: readonly OnContact[]): Promise<OnContact[]> {
  if (wanted.length === 0) return []
  return tx
    .insert(contactTags)
    .values([...wanted])
    .onConflictDoNothing()
    .returning({ contactId: contactTags.contactId, tagId: contactTags.tagId })
}

/** Records added or removed tags on the patients' timelines and in the audit log, and publishes the events. */
export async function announceTags(tx: Db, scope: Scope, changed: readonly OnContact[], on = true): Promise<void> {
  if (changed.length === 0) return
  const rows = await tx
    .select()
    .from(tags)
    .where(inArray(tags.id, [...new Set(changed.map(({ tagId }) => tagId))]))
  for (const { id, name } of rows) {
    const contactIds = changed.filter(({ tagId }) => tagId === id).map(({ contactId }) => contactId)
    const description = `Tag ${name} ${on ? 'added' : 'removed'}`
    await addInteractions(
      tx,
      scope,
      'tag',
      contactIds,
      contactIds.map(() => description),
    )
    await recordChanges(
      tx,
      scope,
      contactIds.map((contactId) => ({ action: 'changed', kind: 'tag', contactIds: [contactId], after: { tag: name, on } })),
    )
    for (const contactId of contactIds) await publish(tx, 'contact', contactId)
  }
}

/** Removes tags from patients; ignores tags that they do not have. */
export async function removeTags(tx: Db, scope: Scope, unwanted: readonly OnContact[]): Promise<void> {
  if (unwanted.length === 0) return
  const { rows } = await tx.execute<{ contact_id: string; tag_id: string }>(sql`
    delete from contact_tags using unnest(${sql.param(unwanted.map(({ contactId }) => contactId))}::uuid[],
      ${sql.param(unwanted.map(({ tagId }) => tagId))}::uuid[]) as unwanted(contact, tag)
    where contact_id = unwanted.contact and tag_id = unwanted.tag returning contact_id, tag_id`)
  const removed = rows.map((row) => ({ contactId: row.contact_id, tagId: row.tag_id }))
  await announceTags(tx, scope, removed, false)
}
