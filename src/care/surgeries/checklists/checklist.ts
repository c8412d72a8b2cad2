import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { dayAt, daysLater } from '../../../shared/zoned-time.ts'
import type { Role } from '../../../kernel/access/rules.ts'
import { consentsInForce } from '../../../chart/consent-forms/service.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { bookings, type Row } from '../bookings.ts'
import { completionRules, completesItself, type ItemKind, itemKey } from '../checklist-rules.ts'
import type { Surgery } from '../contract.ts'
import { announceSurgery } from '../update-record.ts'
import { mayCompleteItem } from '../policy.ts'
import { upcomingStatuses } from '../rules.ts'
import { getSurgery } from '../read.ts'
import { checklistTemplates, surgeries, surgeryItems } from '../table.ts'

type Item = typeof surgeryItems.$inferSelect

const dueOn = ({ env }: Scope, { startsAt }: Row, days: number): string => daysLater(dayAt(startsAt, env.PRACTICE_TIME_ZONE), days)

const itemsOf = (tx: Db, surgeryId: string): Promise<Item[]> => tx.select().from(surgeryItems).where(eq(surgeryItems.surgeryId, surgeryId))

/** Adds the template items for every case and for the case's procedures that are not on its checklist yet. */
export async function addTemplateItems(tx: Db, scope: Scope, row: Row): Promise<void> {
  const ofProcedures = inArray(
    checklistTemplates.procedureId,
    row.procedures.map(({ id }) => id),
  )
  const templates = await tx
    .select()
    .from(checklistTemplates)
    .where(or(isNull(checklistTemplates.procedureId), ofProcedures))
    // Items for every case come first, so that they stay when a procedure is removed.
    .orderBy(sql`${checklistTemplates.procedureId} nulls first`, checklistTemplates.dueDays, checklistTemplates.id)
  const known = new Set((await itemsOf(tx, row.id)).map(itemKey))
  const wanted = templates.filter((template) => {
    const isNew = !known.has(itemKey(template))
    known.add(itemKey(template))
    return isNew
  })
  if (wanted.length === 0) return
  await tx
    .insert(surgeryItems)
    .values(wanted.map(({ id: _, ...template }) => ({ ...template, surgeryId: row.id, dueOn: dueOn(scope, row, template.dueDays) })))
}

/** After a change of procedures: removes untouched items of removed procedures and adds those of new ones. */
export async function syncProcedureItems(tx: Db, scope: Scope, row: Row): Promise<void> {
  const procedureIds = row.procedures.map(({ id }) => id)
  const untouched = and(isNull(surgeryItems.doneOn), isNull(surgeryItems.note))
  await tx
    .delete(surgeryItems)
    .where(and(eq(surgeryItems.surgeryId, row.id), untouched, sql`${surgeryItems.procedureId} <> all(${sql.param(procedureIds)}::uuid[])`))
  await addTemplateItems(tx, scope, row)
}

/** After a move: shifts the due dates of open items. */
export async function shiftDueDates(tx: Db, { env }: Scope, { id, startsAt }: Row): Promise<void> {
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

/** Adds an item to the checklist of a case. Null if there is no such case. */
export async function addItem(scope: Scope, { id, ...given }: NewItem) {
  return scope.db.transaction(async (tx) => {
    const locked = await bookings.lock(tx, id)
    if (!locked) return null
    if ((await itemsOf(tx, id)).some((item) => itemKey(item) === itemKey(given))) return refuse('EXISTS')
    const values = { ...given, surgeryId: id, dueOn: dueOn(scope, locked.row, given.dueDays) }
    const [after] = await tx.insert(surgeryItems).values(values).returning()
    return recordAndPublish(tx, scope, locked.row, { action: 'created', after })
  })
}

/** Adds a required item for a provider to the checklist of the patient's next case, unless it has it. False: no case is planned. */
export async function addToNextCase(tx: Db, scope: Scope, { contactId, words }: { contactId: string; words: string }): Promise<boolean> {
  const [next] = await tx
    .select({ id: surgeries.id })
    .from(surgeries)
    .where(and(eq(surgeries.contactId, contactId), inArray(surgeries.status, [...upcomingStatuses]), gt(surgeries.endsAt, scope.now())))
    .orderBy(asc(surgeries.startsAt))
    .limit(1)
  const locked = next && (await bookings.lock(tx, next.id))
  if (!locked) return false
  const given = { kind: 'other', words, ownerRole: 'provider', dueDays: -1, isRequired: true, note: null } as const
  if ((await itemsOf(tx, next.id)).some((item) => itemKey(item) === itemKey(given) && item.doneOn === null)) return true
  const values = { ...given, surgeryId: next.id, dueOn: dueOn(scope, locked.row, given.dueDays) }
  const [after] = await tx.insert(surgeryItems).values(values).returning()
  await recordChange(tx, scope, { action: 'created', kind: 'surgery item', contactIds: [contactId], after })
  await announceSurgery(tx, next.id)
  return true
}

interface ItemRef {
  /** The id of the case. */
  id: string
  itemId: string
}
interface ItemChange extends ItemRef {
  isDone?: boolean | undefined
  note?: string | null | undefined
}

/** Ticks or unticks an item, or changes its note, which everyone may. An automatic item is refused with its completion rule. */
export async function changeItem(scope: Scope, { id, itemId, isDone, note }: ItemChange) {
  return scope.db.transaction(async (tx) => {
    const found = await lockItem(tx, id, itemId)
    if (!found) return null
    const { row, item: before } = found
    if (isDone !== undefined && completesItself(before, { requiresConsents: await requiresConsents(tx, scope, row) }))
      return refuse('AUTOMATIC', { reason: completionRules[before.kind] })
    const tick = isDone
      ? { doneOn: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE), doneBy: staff(scope).id }
      : { doneOn: null, doneBy: null }
    const isTicked = isDone !== undefined && isDone !== (before.doneOn !== null)
    if (isTicked && !mayCompleteItem(scope.actor, before.ownerRole)) return refuse('FORBIDDEN')
    const changed = {
      ...(isTicked ? tick : {}),
      // A reopened item is due relative to the current surgery date.
      ...(isTicked && !isDone ? { dueOn: dueOn(scope, row, before.dueDays) } : {}),
      ...(note !== undefined && note !== before.note ? { note } : {}),
    }
    if (Object.keys(changed).length === 0) return getSurgery(tx, scope, id)
    const [after] = await tx.update(surgeryItems).set(changed).where(eq(surgeryItems.id, itemId)).returning()
    return recordAndPublish(tx, scope, row, { action: 'changed', before, after })
  })
}

/** Removes an item. The specialist item cannot be removed: it depends on the patient's record (spec 4). */
export async function removeItem(scope: Scope, { id, itemId }: ItemRef) {
  return scope.db.transaction(async (tx) => {
    const found = await lockItem(tx, id, itemId)
    if (!found) return null
    const { row, item: before } = found
    if (before.kind === 'specialist') return refuse('FIXED')
    if (!mayCompleteItem(scope.actor, before.ownerRole)) return refuse('FORBIDDEN')
    await tx.delete(surgeryItems).where(eq(surgeryItems.id, itemId))
    return recordAndPublish(tx, scope, row, { action: 'deleted', before })
  })
}

const requiresConsents = async (tx: Db, scope: Scope, row: Row): Promise<boolean> => (await consentsInForce(tx, scope, [row])).has(row.id)

async function lockItem(tx: Db, id: string, itemId: string): Promise<{ row: Row; item: Item } | null> {
  const locked = await bookings.lock(tx, id)
  if (!locked) return null
  const [item] = await tx
    .select()
    .from(surgeryItems)
    .where(and(eq(surgeryItems.id, itemId), eq(surgeryItems.surgeryId, id)))
  return item ? { row: locked.row, item } : null
}

async function recordAndPublish(
  tx: Db,
  scope: Scope,
  { id, contactId }: Row,
  change: { action: 'created' | 'changed' | 'deleted'; before?: Item; after?: Item | undefined },
): Promise<Surgery> {
  await recordChange(tx, scope, { ...change, kind: 'surgery item', contactIds: [contactId] })
  await announceSurgery(tx, id)
  return (await getSurgery(tx, scope, id))!
}
