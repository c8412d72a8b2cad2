import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { list, writableColumns } from '../../kernel/postgres/stored-rows.ts'
import { type MergeField, mergeColumnsOf, mergeFieldNames } from '../../crm/contacts/derived-fields.ts'
import { revived, writeColumns } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { UndoConflict } from './contract.ts'
import { contactMerges, type StoredContact, type UndoableMerge } from './table.ts'

type Row = typeof contacts.$inferSelect
type Column = keyof Row

/**
 * A field that a merge changed on the target, with the conflict if someone changed it afterwards, or the id of the later merge that did.
 */
type ChangedField = { field: MergeField; conflict: UndoConflict | null; laterMergeId: string | null }

/** The database name of a contacts column, which is its key in a snapshot. */
const dbName = (column: string): string => contacts[column as Column].name
const isSame = (field: MergeField, a: StoredContact, b: StoredContact): boolean =>
  mergeColumnsOf(field).every((column) => JSON.stringify(a[dbName(column)] ?? null) === JSON.stringify(b[dbName(column)] ?? null))
const toValues = (field: MergeField, row: StoredContact) =>
  Object.fromEntries(mergeColumnsOf(field).map((column) => [column, row[dbName(column)] ?? null]))

/** The fields of the target that the merge changed. */
export async function findChangedFields(tx: Db, merge: UndoableMerge): Promise<ChangedField[]> {
  const { target: before, merged } = merge.snapshot
  const { rows } = await tx.execute<{ row: StoredContact }>(sql`select to_jsonb(c) as row from contacts as c where id = ${merge.targetId}`)
  const now = rows[0]!.row
  const later = await tx
    .select()
    .from(contactMerges)
    .where(and(eq(contactMerges.targetId, merge.targetId), isNull(contactMerges.undoneAt), gt(contactMerges.id, merge.id)))
    .orderBy(contactMerges.id)
  return mergeFieldNames
    .filter((field) => !isSame(field, before, merged))
    .map((field) => {
      // A later merge that started from exactly the value this merge set, and changed it.
      const laterMerge = later.find(
        ({ snapshot }) => snapshot && isSame(field, snapshot.target, merged) && !isSame(field, snapshot.target, snapshot.merged),
      )
      const isUntouched = isSame(field, now, merged) || isSame(field, now, before)
      return { field, laterMergeId: laterMerge?.id ?? null, conflict: laterMerge || isUntouched ? null : conflictOf(field, before, now) }
    })
}

const conflictOf = (field: MergeField, before: StoredContact, now: StoredContact): UndoConflict => ({
  key: `field:${field}`,
  kind: 'field',
  of: field,
  title: null,
  before: toValues(field, before),
  now: toValues(field, now),
})

/** Keeps the later merge's value, and makes its snapshot restore the value from before both merges when it is undone in turn. */
export async function passToLaterMerge(tx: Db, merge: UndoableMerge, field: MergeField, laterMergeId: string): Promise<void> {
  const columns = columnsOf(field).map(dbName)
  const before = sql`(select jsonb_object_agg(key, value) from jsonb_each((${snapshotOf(merge.id)})->'target') where key = any(${sql.param(columns)}::text[]))`
  await tx
    .update(contactMerges)
    .set({ snapshot: sql`jsonb_set(snapshot, '{target}', (snapshot->'target') || ${before})` })
    .where(eq(contactMerges.id, laterMergeId))
}

const snapshotOf = (mergeId: string): SQL => sql`select snapshot from contact_merges where id = ${mergeId}`

/** The columns restored with a field; the stage includes when the patient entered it. */
const columnsOf = (field: MergeField): Column[] => [
  ...mergeColumnsOf(field),
  ...(field === 'funnelStage' ? (['stageEnteredAt'] as const) : []),
]

/** Query that returns a contact from a snapshot as a row. */
function selectFromSnapshot(mergeId: string, which: 'source' | 'target'): SQL {
  const was = sql`snapshot->${which}`
  const names = {
    procedures: sql`snapshot->'procedures'->>(${was}->>'procedure_of_interest')`,
    lead_sources: sql`snapshot->'sources'->>(${was}->>'lead_source')`,
  }
  return sql`select r.* from contact_merges, ${revived(was, (table) => names[table])} as r where contact_merges.id = ${mergeId}`
}

/** Locks the procedures and lead sources that the snapshot refers to, so that they are not deleted during the undo. */
async function lockReferences(tx: Db, { snapshot: { source, target } }: UndoableMerge) {
  for (const [table, column] of [
    ['procedures', 'procedure_of_interest'],
    ['lead_sources', 'lead_source'],
  ] as const) {
    const ids = [source[column], target[column]]
    await tx.execute(sql`select 1 from ${sql.identifier(table)} where id = any(${sql.param(ids)}::uuid[]) order by id for key share`)
  }
}

/** Restores the source as it was, with its id and its position in creation order. */
export async function restoreSource(tx: Db, merge: UndoableMerge): Promise<void> {
  await lockReferences(tx, merge)
  const columns = list(await writableColumns(tx, 'contacts', Object.keys(merge.snapshot.source)))
  await tx.execute(sql`insert into contacts (${columns}) select ${columns} from (${selectFromSnapshot(merge.id, 'source')}) as was`)
}

/**
 * The attribution columns that still have the merge's value. They are not a user's choice, so no conflict is reported; later attributions
 * stay.
 */
const attributionsOf = (merge: UndoableMerge, target: Row): Column[] =>
  (['firstAttribution', 'latestAttribution'] as const).filter(
    (column) => JSON.stringify(target[column]) === JSON.stringify(merge.snapshot.merged[dbName(column)] ?? null),
  )

/** Restores the target's fields to their values before the merge. */
export async function restoreFields(tx: Db, scope: Scope, merge: UndoableMerge, target: Row, fields: ChangedField[]): Promise<void> {
  const columns = [...fields.flatMap(({ field }) => columnsOf(field)), ...attributionsOf(merge, target)]
  const was = (column: Column) => sql`(select ${sql.identifier(dbName(column))} from (${selectFromSnapshot(merge.id, 'target')}) as was)`
  await writeColumns(tx, scope, target, Object.fromEntries(columns.map((column) => [column, was(column)])))
}
