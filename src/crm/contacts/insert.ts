import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { notification } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { insertChanges } from '../../platform/audit/service.ts'
import { insertInteractions } from '../interactions/service.ts'
import { writeExpress } from './consent-entries.ts'
import { contacts } from './table.ts'

type Row = typeof contacts.$inferSelect
export type NewContact = typeof contacts.$inferInsert

const columns = getTableColumns(contacts)
export type Key = keyof typeof columns
export const isColumn = (key: string): key is Key => Object.hasOwn(columns, key)

/** These columns of the rows as JSON for jsonb_populate_recordset. */
export const asRecords = (rows: readonly Partial<Record<Key, unknown>>[], keys: readonly Key[]): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(keys.map((key) => [columns[key].name, row[key] ?? null]))))

const names = (keys: readonly Key[]): SQL => sql.raw(keys.map((key) => `"${columns[key].name}"`).join(', '))

/** A row as the driver returns it, with the column's types. */
const toRow = (raw: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(columns).map(([key, column]) => {
      const value = raw[column.name] ?? null
      return [key, value === null ? null : column.mapFromDriverValue(value)]
    }),
  ) as Row

/** Adds a contact with its first entries in stage history, timeline and audit log, and publishes the event. */
export async function insertContact(tx: Db, scope: Scope, values: NewContact, description: string): Promise<Row> {
  const id = uuidv7()
  const [row] = await insert(
    tx,
    scope,
    [{ ...values, id }],
    { descriptions: [description], source: 'record' },
    sql`added.*, ${notification('contact', id)}`,
  )
  return toRow(row!)
}

/** So few that writing them as JSON takes the event loop for less than two milliseconds. */
const rowsPerStatement = 50

/** `insertContact` for many: `descriptions` are their timeline entries. The caller announces them. Returns their ids. */
export async function insertContacts(
  tx: Db,
  scope: Scope,
  values: readonly NewContact[],
  given: { descriptions: readonly string[]; source: 'record' | 'imported' },
): Promise<string[]> {
  const rows = values.map((row) => ({ ...row, id: uuidv7() }))
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const descriptions = given.descriptions.slice(start, start + rowsPerStatement)
    await insert(tx, scope, rows.slice(start, start + rowsPerStatement), { ...given, descriptions }, sql`count(*)`)
  }
  return rows.map(({ id }) => id)
}

/** One statement, because each takes the server and the database more time than most of these rows. `result`: what it selects from `added`. */
async function insert(
  tx: Db,
  scope: Scope,
  values: readonly (NewContact & { id: string })[],
  { descriptions, source }: { descriptions: readonly string[]; source: 'record' | 'imported' },
  result: SQL,
): Promise<Record<string, unknown>[]> {
  const now = scope.now()
  const defaults = { status: 'active', consentToCommunicate: false, requiresSpecialistConsult: false, specialistResultsReceived: false }
  const created = values.map((row) => ({ ...defaults, ...row }))
  const rows = created.map((row) => ({ ...row, createdAt: now, updatedAt: now, stageEnteredAt: now }))
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    .filter(isColumn)
    .filter((key) => rows.some((row: Partial<Record<Key, unknown>>) => row[key] !== undefined))
  const ids = rows.map(({ id }) => id)
  const { rows: added } = await tx.execute(sql`
    with added as (
      insert into contacts (${names(keys)})
      select ${names(keys)} from jsonb_populate_recordset(null::contacts, ${asRecords(rows, keys)}::jsonb) returning *
    ), moved as (
      insert into contact_stage_history (contact_id, to_stage, changed_at, changed_by)
      select id, funnel_stage, stage_entered_at, ${scope.actor?.id ?? null}::uuid from added
    ), described as (${insertInteractions(scope, 'contact_created', ids, descriptions)}
    ), recorded as (${insertChanges(
      scope,
      created.map((after) => ({ action: 'created', kind: 'contact', contactIds: [after.id], after })),
    )})
    select ${result} from added`)
  const consenting = rows.filter((row) => row.consentToCommunicate).map(({ id }) => id)
  await writeExpress(tx, scope, consenting, { source })
  return added
}
