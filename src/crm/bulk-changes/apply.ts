import { and, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { writeChange } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { leadSources } from '../lead-sources/table.ts'
import { procedures } from '../procedures/table.ts'
import { setTagOn } from '../tags/service.ts'
import { contactTags } from '../tags/table.ts'
import type { BulkChange, Move } from './contract.ts'

type Row = typeof contacts.$inferSelect
/** A previous value stored for undo: an id, an ISO 8601 date or null. For a tag: 'on' if the patient had it. */
type Value = string | null

/** A patient's value before the change. A stage change also stores the previous lost reason. */
export type Before = { value: Value; lostReason?: string | null }

/** A change that sets a value. Deletions are not included: they run per batch. */
type ValueChange = Exclude<BulkChange, { kind: 'delete' }>

/** The column that a change sets, and its new value. */
function target(change: Exclude<ValueChange, { kind: 'tag' }>): { column: keyof Row; value: Value } {
  switch (change.kind) {
    case 'stage':
      return { column: 'funnelStageId', value: change.stageId }
    case 'owner':
      return { column: 'assignedSalesRepId', value: change.personId }
    case 'provider':
      return { column: 'assignedProviderId', value: change.personId }
    case 'followUp':
      return { column: 'nextFollowUpDate', value: change.date && new Date(change.date).toISOString() }
    case 'source':
      return { column: 'leadSourceId', value: change.to }
    case 'procedure':
      return { column: 'procedureId', value: change.to }
  }
}

const asValue = (stored: unknown): Value => (stored instanceof Date ? stored.toISOString() : ((stored ?? null) as Value))
const asStored = (column: string, value: Value) => (column === 'nextFollowUpDate' && value !== null ? new Date(value) : value)

/**
 * Applies a change to one patient in the caller's transaction. Returns the previous value, or null if there was nothing to change: the
 * patient no longer exists or already has the new value.
 */
export async function apply(tx: Db, scope: Scope, change: ValueChange, contactId: string): Promise<Before | null> {
  if (change.kind === 'tag') {
    return (await setTagOn(tx, scope, contactId, change.tagId, change.on)) ? { value: change.on ? null : 'on' } : null
  }
  const { column, value } = target(change)
  const row = await lock(tx, contactId)
  if (!row || asValue(row[column]) === value) return null
  if ('from' in change && (row[column] !== change.from || !(await lockIfExists(tx, change.kind, change.to)))) return null
  const reason = change.kind === 'stage' ? { lostReason: change.lostReason ?? null } : {}
  await writeChange(tx, scope, row, { [column]: asStored(column, value), ...reason })
  return { value: asValue(row[column]), ...(change.kind === 'stage' ? { lostReason: row.lostReason } : {}) }
}

/** Reverts a change of one patient. Returns false if someone has changed the same value since: the later change is kept. */
export async function revert(tx: Db, scope: Scope, change: ValueChange, contactId: string, before: Before): Promise<boolean> {
  if (change.kind === 'tag') {
    const [isOn] = await tx
      .select()
      .from(contactTags)
      .where(and(eq(contactTags.contactId, contactId), eq(contactTags.tagId, change.tagId)))
    if (Boolean(isOn) !== change.on) return false
    return (await setTagOn(tx, scope, contactId, change.tagId, !change.on)) === true
  }
  const { column, value } = target(change)
  const row = await lock(tx, contactId)
  if (!row || asValue(row[column]) !== value) return false
  if ('from' in change && !(await lockIfExists(tx, change.kind, change.from))) return false
  const reason = change.kind === 'stage' ? { lostReason: before.lostReason ?? null } : {}
  await writeChange(tx, scope, row, { [column]: asStored(column, before.value), ...reason })
  return true
}

/** The tables whose rows a move replaces on patients. */
export const moveTables = { source: leadSources, procedure: procedures } as const

/** Returns whether a lead source or procedure exists, and locks it against deletion until the caller's transaction ends. */
export async function lockIfExists(tx: Db, kind: Move['kind'], id: string): Promise<boolean> {
  const table = moveTables[kind]
  return (await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).for('key share')).length > 0
}

async function lock(tx: Db, contactId: string): Promise<Row | null> {
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('update')
  return row ?? null
}
