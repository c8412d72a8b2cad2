import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { bookings, type Row } from './bookings.ts'
import { doneByItself, isAutomatic, type ItemKind, keyOf } from './checklist-rules.ts'
import type { Surgery } from './contract.ts'
import { announce } from './follow.ts'
import { maySeeTo } from './policy.ts'
import { getSurgery } from './read.ts'
import { checklistTemplates, surgeryItems } from './table.ts'

type Item = typeof surgeryItems.$inferSelect

const dueOn = ({ env }: Scope, { startsAt }: Row, days: number): string => daysLater(dayAt(startsAt, env.PRACTICE_TIME_ZONE), days)

const itemsOf = (tx: Db, surgeryId: string): Promise<Item[]> => tx.select().from(surgeryItems).where(eq(surgeryItems.surgeryId, surgeryId))

/** What the templates ask of every case, and of its procedures, as far as it is not on its checklist. */
export async function addTemplateItems(tx: Db, scope: Scope, row: Row): Promise<void> {
  const ofProcedures = inArray(
    checklistTemplates.procedureId,
    row.procedures.map(({ id }) => id),
  )
  const templates = await tx
    .select()
    .from(checklistTemplates)
    .where(or(isNull(checklistTemplates.procedureId), ofProcedures))
    // What every case needs comes first: it stays when a procedure goes.
    .orderBy(sql`${checklistTemplates.procedureId} nulls first`, checklistTemplates.dueDays, checklistTemplates.id)
  const known = new Set((await itemsOf(tx, row.id)).map(keyOf))
  const wanted = templates.filter((template) => {
    const isNew = !known.has(keyOf(template))
    known.add(keyOf(template))
    return isNew
  })
  if (wanted.length === 0) return
  await tx
    .insert(surgeryItems)
    .values(wanted.map(({ id: _, ...template }) => ({ ...template, surgeryId: row.id, dueOn: dueOn(scope, row, template.dueDays) })))
}

/** Other procedures: what the old ones asked for goes, unless someone has touched it, and what the new ones ask for comes. */
export async function followProcedures(tx: Db, scope: Scope, row: Row): Promise<void> {
  const procedureIds = row.procedures.map(({ id }) => id)
  const untouched = and(isNull(surgeryItems.doneOn), isNull(surgeryItems.note))
  await tx
    .delete(surgeryItems)
    .where(and(eq(surgeryItems.surgeryId, row.id), untouched, sql`${surgeryItems.procedureId} <> all(${sql.param(procedureIds)}::uuid[])`))
  await addTemplateItems(tx, scope, row)
}

/** The surgery has another day: what is not done is due as long before or after that. */
export async function moveDueDays(tx: Db, { env }: Scope, { id, startsAt }: Row): Promise<void> {
  const day = dayAt(startsAt, env.PRACTICE_TIME_ZONE)
  await tx
    .update(surgeryItems)
    .set({ dueOn: sql`${day}::date + ${surgeryItems.dueDays}` })
    .where(and(eq(surgeryItems.surgeryId, id), isNull(surgeryItems.doneOn)))
}

interface NewItem {
  id: string
  kind: ItemKind
  words: string
  ownerRole: Role
  dueDays: number
  isRequired: boolean
  note: string | null
}

/** Adds an item to the checklist of a case. Null: there is no such case. */
export async function addItem(scope: Scope, { id, ...given }: NewItem) {
  return scope.db.transaction(async (tx) => {
    const locked = await bookings.lock(tx, id)
    if (!locked) return null
    if ((await itemsOf(tx, id)).some((item) => keyOf(item) === keyOf(given))) return refuse('EXISTS')
    const values = { ...given, surgeryId: id, dueOn: dueOn(scope, locked.row, given.dueDays) }
    const [after] = await tx.insert(surgeryItems).values(values).returning()
    return told(tx, scope, locked.row, { action: 'created', after })
  })
}

interface OneItem {
  /** Of the case. */
  id: string
  itemId: string
}
interface ChangedItem extends OneItem {
  isDone?: boolean | undefined
  note?: string | null | undefined
}

/** Ticks an item, takes the tick back, or notes something, which everyone may. What is done by itself is ticked by no one: the answer says why. */
export async function changeItem(scope: Scope, { id, itemId, isDone, note }: ChangedItem) {
  return scope.db.transaction(async (tx) => {
    const found = await holdItem(tx, id, itemId)
    if (!found) return null
    const { row, item: before } = found
    if (isDone !== undefined && isAutomatic(before.kind)) return refuse('AUTOMATIC', { reason: doneByItself[before.kind] })
    const tick = isDone
      ? { doneOn: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE), doneBy: staff(scope).id }
      : { doneOn: null, doneBy: null }
    const isTicked = isDone !== undefined && isDone !== (before.doneOn !== null)
    if (isTicked && !maySeeTo(scope.actor, before.ownerRole)) return refuse('FORBIDDEN')
    const changed = {
      ...(isTicked ? tick : {}),
      // One that is open again is due when the surgery of now has it.
      ...(isTicked && !isDone ? { dueOn: dueOn(scope, row, before.dueDays) } : {}),
      ...(note !== undefined && note !== before.note ? { note } : {}),
    }
    if (Object.keys(changed).length === 0) return getSurgery(tx, scope, id)
    const [after] = await tx.update(surgeryItems).set(changed).where(eq(surgeryItems.id, itemId)).returning()
    return told(tx, scope, row, { action: 'changed', before, after })
  })
}

/** Takes an item off a checklist. That for a specialist comes and goes with the patient's record (spec 4). */
export async function removeItem(scope: Scope, { id, itemId }: OneItem) {
  return scope.db.transaction(async (tx) => {
    const found = await holdItem(tx, id, itemId)
    if (!found) return null
    const { row, item: before } = found
    if (before.kind === 'specialist') return refuse('FIXED')
    if (!maySeeTo(scope.actor, before.ownerRole)) return refuse('FORBIDDEN')
    await tx.delete(surgeryItems).where(eq(surgeryItems.id, itemId))
    return told(tx, scope, row, { action: 'deleted', before })
  })
}

async function holdItem(tx: Db, id: string, itemId: string): Promise<{ row: Row; item: Item } | null> {
  const locked = await bookings.lock(tx, id)
  if (!locked) return null
  const [item] = await tx
    .select()
    .from(surgeryItems)
    .where(and(eq(surgeryItems.id, itemId), eq(surgeryItems.surgeryId, id)))
  return item ? { row: locked.row, item } : null
}

async function told(
  tx: Db,
  scope: Scope,
  { id, contactId }: Row,
  change: { action: 'created' | 'changed' | 'deleted'; before?: Item; after?: Item | undefined },
): Promise<Surgery> {
  await recordChange(tx, scope, { ...change, kind: 'surgery item', contactIds: [contactId] })
  await announce(tx, id)
  return (await getSurgery(tx, scope, id))!
}
