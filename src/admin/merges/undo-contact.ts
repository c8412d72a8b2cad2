import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { list, writableColumns } from '../../kernel/postgres/stored-rows.ts'
import { type MergeField, mergeColumnsOf, mergeFieldNames } from '../../crm/contacts/fields.ts'
import { revived, writeColumns } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { UndoConflict } from './contract.ts'
import { contactMerges, type StoredContact, type UndoableMerge } from './table.ts'

type Row = typeof contacts.$inferSelect
type Column = keyof Row

/** A field that a merge has changed on the target: in conflict when someone has changed it since; when a later merge has, that is its heir. */
type Touched = { field: MergeField; conflict: UndoConflict | null; heir: string | null }

/** How a column of contacts is called in the database, and so in a snapshot. */
const stored = (column: string): string => contacts[column as Column].name
const same = (field: MergeField, a: StoredContact, b: StoredContact): boolean =>
  mergeColumnsOf(field).every((column) => JSON.stringify(a[stored(column)] ?? null) === JSON.stringify(b[stored(column)] ?? null))
const shown = (field: MergeField, row: StoredContact) =>
  Object.fromEntries(mergeColumnsOf(field).map((column) => [column, row[stored(column)] ?? null]))

/** The fields of the target that the merge changed. */
export async function touchedFields(tx: Db, merge: UndoableMerge): Promise<Touched[]> {
  const { target: before, merged } = merge.snapshot
  const { rows } = await tx.execute<{ row: StoredContact }>(sql`select to_jsonb(c) as row from contacts as c where id = ${merge.targetId}`)
  const now = rows[0]!.row
  const later = await tx
    .select()
    .from(contactMerges)
    .where(and(eq(contactMerges.targetId, merge.targetId), isNull(contactMerges.undoneAt), gt(contactMerges.id, merge.id)))
    .orderBy(contactMerges.id)
  return mergeFieldNames
    .filter((field) => !same(field, before, merged))
    .map((field) => {
      // A later merge that has taken the field over, value for value.
      const heir = later.find(
        ({ snapshot }) => snapshot && same(field, snapshot.target, merged) && !same(field, snapshot.target, snapshot.merged),
      )
      const isOurs = same(field, now, merged) || same(field, now, before)
      return { field, heir: heir?.id ?? null, conflict: heir || isOurs ? null : conflictOf(field, before, now) }
    })
}

const conflictOf = (field: MergeField, before: StoredContact, now: StoredContact): UndoConflict => ({
  key: `field:${field}`,
  kind: 'field',
  of: field,
  title: null,
  before: shown(field, before),
  now: shown(field, now),
})

/** The heir's value stays. When that merge is undone in its turn, what comes back is what was there before both. */
export async function passOn(tx: Db, merge: UndoableMerge, field: MergeField, heir: string): Promise<void> {
  const columns = columnsOf(field).map(stored)
  const before = sql`(select jsonb_object_agg(key, value) from jsonb_each((${snapshotOf(merge.id)})->'target') where key = any(${sql.param(columns)}::text[]))`
  await tx
    .update(contactMerges)
    .set({ snapshot: sql`jsonb_set(snapshot, '{target}', (snapshot->'target') || ${before})` })
    .where(eq(contactMerges.id, heir))
}

const snapshotOf = (mergeId: string): SQL => sql`select snapshot from contact_merges where id = ${mergeId}`

/** The columns that go with a field: since when a patient is in a stage goes with the stage. */
const columnsOf = (field: MergeField): Column[] => [
  ...mergeColumnsOf(field),
  ...(field === 'funnelStage' ? (['stageEnteredAt'] as const) : []),
]

/** A contact of a snapshot as a row. */
function rowOf(mergeId: string, which: 'source' | 'target'): SQL {
  const was = sql`snapshot->${which}`
  const names = {
    procedures: sql`snapshot->'procedures'->>(${was}->>'procedure_of_interest')`,
    lead_sources: sql`snapshot->'sources'->>(${was}->>'lead_source')`,
  }
  return sql`select r.* from contact_merges, ${revived(was, (table) => names[table])} as r where contact_merges.id = ${mergeId}`
}

/** Holds what the snapshot refers to, so that it is not deleted while it is brought back. */
async function holdReferences(tx: Db, { snapshot: { source, target } }: UndoableMerge) {
  for (const [table, column] of [
    ['procedures', 'procedure_of_interest'],
    ['lead_sources', 'lead_source'],
  ] as const) {
    const ids = [source[column], target[column]]
    await tx.execute(sql`select 1 from ${sql.identifier(table)} where id = any(${sql.param(ids)}::uuid[]) order by id for key share`)
  }
}

/** Writes the source back as it was, under its id and its place in the order of adding. */
export async function bringBack(tx: Db, merge: UndoableMerge): Promise<void> {
  await holdReferences(tx, merge)
  const columns = list(await writableColumns(tx, 'contacts', Object.keys(merge.snapshot.source)))
  await tx.execute(sql`insert into contacts (${columns}) select ${columns} from (${rowOf(merge.id, 'source')}) as was`)
}

/** Where the target came from, as the merge left it: no one chooses that, and what a lead has said since stays. */
const attributionsOf = (merge: UndoableMerge, target: Row): Column[] =>
  (['firstAttribution', 'latestAttribution'] as const).filter(
    (column) => JSON.stringify(target[column]) === JSON.stringify(merge.snapshot.merged[stored(column)] ?? null),
  )

/** Gives the target's fields the values that they had before the merge. */
export async function restoreFields(tx: Db, scope: Scope, merge: UndoableMerge, target: Row, fields: Touched[]): Promise<void> {
  const columns = [...fields.flatMap(({ field }) => columnsOf(field)), ...attributionsOf(merge, target)]
  const was = (column: Column) => sql`(select ${sql.identifier(stored(column))} from (${rowOf(merge.id, 'target')}) as was)`
  await writeColumns(tx, scope, target, Object.fromEntries(columns.map((column) => [column, was(column)])))
}
