import { eq, inArray, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import { recordChange } from '../audit/service.ts'
import { addInteraction } from '../interactions/service.ts'
import type { Contact } from './contract.ts'
import { visibleContact } from './policy.ts'
import { auditable, writeChange } from './service.ts'
import { contactMerges, contacts } from './table.ts'

/**
 * Every table that refers to a contact, and the columns besides contact_id that must stay unique there. A test compares this list with
 * the database's foreign keys: a new table that refers to contacts has to be added here.
 */
export const contactChildren: { table: string; unique?: string }[] = [
  { table: 'lead_entries' },
  { table: 'automation_state', unique: 'automation' },
  { table: 'interactions' },
  { table: 'contact_tags', unique: 'tag_id' },
  { table: 'contact_stage_history' },
]

/** Spec 4: copied only where the target lacks them. */
const filledIn = ['surgicalDate', 'revenueCents', 'procedureId', 'procedureText', 'weightLossMedication'] as const

/**
 * Merges the source into the target in one transaction: what belongs to the source moves, what the target lacks is filled in, the source
 * is deleted. A snapshot keeps all that is needed to undo it. Null when either does not exist.
 */
export async function mergeContacts(scope: Scope, targetId: string, sourceId: string): Promise<Contact | null> {
  return scope.db.transaction(async (tx) => {
    // Locked in one order, so that opposite merges wait for one another instead of dying together.
    const rows = await tx
      .select()
      .from(contacts)
      .where(inArray(contacts.id, [targetId, sourceId]))
      .orderBy(contacts.id)
      .for('update')
    const target = rows.find((row) => row.id === targetId)
    const source = rows.find((row) => row.id === sourceId)
    if (!target || !source) return null

    const moved: Record<string, unknown> = {}
    for (const child of contactChildren) moved[child.table] = await moveChildren(tx, child, source.id, target.id)
    const fill = Object.fromEntries(
      filledIn.filter((field) => lacks(target, field) && source[field] !== null).map((field) => [field, source[field]]),
    )
    await tx
      .insert(contactMerges)
      .values({ targetId, sourceId, snapshot: { source, target, moved }, mergedBy: scope.actor?.id ?? null, mergedAt: scope.now() })
    await tx.delete(contacts).where(eq(contacts.id, source.id))

    const result = await writeChange(tx, scope, target, fill)
    await addInteraction(tx, scope, {
      contactId: target.id,
      type: 'contact_merged',
      description: `Merged with ${source.firstName} ${source.lastName}`,
    })
    await recordChange(tx, scope, { action: 'merged', kind: 'contact', contactIds: [target.id, source.id], before: auditable(source) })
    await publish(tx, 'contact', source.id)
    return visibleContact(scope.actor, result)
  })
}

/** A procedure is one thing in two columns: it is lacking when neither is filled. */
const lacks = (row: typeof contacts.$inferSelect, field: (typeof filledIn)[number]): boolean =>
  field === 'procedureId' || field === 'procedureText' ? row.procedureId === null && row.procedureText === null : row[field] === null

/** Moves the rows of one table; those that the target has already are dropped. Returns both, for the snapshot. */
async function moveChildren(tx: Db, { table, unique }: (typeof contactChildren)[number], sourceId: string, targetId: string) {
  const name = sql.identifier(table)
  const dropped = unique
    ? await tx.execute(sql`
        delete from ${name} as mine where contact_id = ${sourceId} and exists (
          select 1 from ${name} as theirs where theirs.contact_id = ${targetId} and theirs.${sql.identifier(unique)} = mine.${sql.identifier(unique)}
        ) returning to_jsonb(mine) as row`)
    : { rows: [] }
  const moved = await tx.execute(
    sql`update ${name} as mine set contact_id = ${targetId} where contact_id = ${sourceId} returning to_jsonb(mine) as row`,
  )
  return { moved: moved.rows.map(({ row }) => row), dropped: dropped.rows.map(({ row }) => row) }
}
