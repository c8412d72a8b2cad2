import { getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { contactTables } from '../../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { difference } from '../../../kernel/audit/rules.ts'
import { recordChanges } from '../../../platform/audit/service.ts'
import { addInteractions } from '../../interactions/service.ts'
import { followTicks } from '../consent-entries.ts'
import { asRecords, isColumn, type Key } from '../insert.ts'
import { auditable, listLabels } from '../rules.ts'
import { contacts, generatedColumns } from '../table.ts'

type Row = typeof contacts.$inferSelect

const columns = getTableColumns(contacts)
/** Columns that the database fills. */
const derived: readonly string[] = ['seq', ...generatedColumns]

export type ContactChange = { before: Row; changed: Partial<Omit<Row, 'funnelStageId'>>; description?: string }

/** `writeChange` for many locked rows, without stage moves. Announces each contact. */
export async function changeContacts(tx: Db, scope: Scope, changes: readonly ContactChange[]): Promise<void> {
  if (changes.length === 0) return
  const now = scope.now()
  const after = changes.map(({ before, changed }) => ({ ...before, ...changed, version: before.version + 1, updatedAt: now }))
  const keys = [...new Set(['version', 'updatedAt', ...changes.flatMap(({ changed }) => Object.keys(changed))])].filter(
    (key): key is Key => isColumn(key) && !derived.includes(key),
  )
  const set = sql.join(
    keys.map((key) => sql`${sql.identifier(columns[key].name)} = row.${sql.identifier(columns[key].name)}`),
    sql`, `,
  )
  await Promise.all([
    tx.execute(sql`
      update contacts set ${set} from jsonb_populate_recordset(null::contacts, ${asRecords(after, ['id', ...keys])}::jsonb) as row where contacts.id = row.id`),
    addInteractions(
      tx,
      scope,
      'contact_updated',
      changes.map(({ before }) => before.id),
      changes.map(({ changed, description }) => description ?? `${listLabels(Object.keys(changed))} changed`),
    ),
    recordChanges(
      tx,
      scope,
      changes.map(({ before }, i) => ({
        action: 'changed' as const,
        kind: 'contact',
        contactIds: [before.id],
        ...difference(auditable(before), auditable(after[i]!)),
      })),
    ),
    followTicks(
      tx,
      scope,
      changes.map(({ before, changed }) => ({
        id: before.id,
        before: before.consentToCommunicate,
        after: changed.consentToCommunicate,
      })),
      'imported',
    ),
    announceContacts(
      tx,
      changes.map(({ before }) => before.id),
    ),
  ])
}

export type Expected = { id: string; version: number; interactions: number }

/** The locked patients that are unchanged: at this version, with this many timeline entries and no other records. */
export async function untouchedContacts(tx: Db, expected: readonly Expected[]): Promise<Set<string>> {
  const mine = sql`contact_id = contacts.id`
  const elsewhere = contactTables().filter(({ importUndo }) => importUndo === 'keeps-patient')
  const { rows } = await tx.execute<{ id: string }>(sql`
    select contacts.id from jsonb_to_recordset(${JSON.stringify(expected)}::jsonb) as expected(id uuid, version int, interactions int)
    join contacts on contacts.id = expected.id and contacts.version = expected.version
    where (select count(*) from interactions where ${mine}) = expected.interactions
      and (select count(*) from contact_stage_history where ${mine}) = 1
      ${sql.join(
        elsewhere.map(({ table }) => sql` and not exists (select 1 from ${sql.identifier(table)} where ${mine})`),
        sql``,
      )}`)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes untouched patients with the records that were created with them. */
export async function removeContacts(tx: Db, scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const these = sql`any(${sql.param(ids)}::uuid[])`
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
  for (const { table } of contactTables().filter(({ importUndo }) => importUndo === 'deletes-rows'))
    await tx.execute(sql`delete from ${sql.identifier(table)} where contact_id = ${these}`)
  await tx.execute(sql`delete from contacts where id = ${these}`)
  await recordChanges(
    tx,
    scope,
    rows.map((row) => ({ action: 'deleted' as const, kind: 'contact', contactIds: [row.id], before: auditable(row) })),
  )
  await announceContacts(tx, ids)
}

export async function announceContacts(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.execute(
    sql`select pg_notify('change', json_build_object('topic', 'contact', 'id', id)::text) from unnest(${sql.param(ids)}::uuid[]) as id`,
  )
}
