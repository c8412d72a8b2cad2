import { and, asc, desc, eq, getTableColumns, gt, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { publishProgress } from './rows/publish-progress.ts'
import {
  type ColumnChoice,
  type FindingKind,
  type ImportDetails,
  type ImportFinding,
  type ImportSummary,
  importRetentionDays,
  type MatchChoice,
} from './contract.ts'
import { releaseFiles } from './rows/documents.ts'
import { processImportJob } from './jobs.ts'
import { purgeKeys } from './run/keys.ts'
import { mayImport, seesAllImports } from './policy.ts'
import { findColumnProblems } from './rules.ts'
import { importFindings, imports } from './table.ts'
import { importTables } from './tables.ts'

type Import = typeof imports.$inferSelect

const visible = (scope: Scope, id?: string) =>
  and(id ? eq(imports.id, id) : undefined, seesAllImports(staff(scope)) ? undefined : eq(imports.createdBy, staff(scope).id))

/** A page of the imports that the actor may see, newest first. */
export async function listImports(scope: Scope, { cursor, limit }: { cursor?: InstantPlace | undefined; limit: number }) {
  const rows = await scope.db
    .select({ ...getTableColumns(imports), exact: exactInstant(imports.createdAt) })
    .from(imports)
    .where(and(visible(scope), isOlderThan(cursor, imports.createdAt, imports.id)))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(limit + 1)
  const { data, nextCursor } = cursorPage(rows, limit, placeOf)
  return { data: data.map(toSummary), nextCursor }
}

export async function getImport(scope: Scope, id: string): Promise<ImportDetails | null> {
  const [row] = await scope.db.select().from(imports).where(visible(scope, id))
  return row ? toDetails(scope, row) : null
}

/** Locks an import, changes it if its status allows, and queues the job. */
async function change(scope: Scope, id: string, from: readonly Import['status'][], set: (row: Import, tx: Db) => Promise<Partial<Import>>) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(imports).where(visible(scope, id)).for('update')
    if (!row) return null
    if (!from.includes(row.status)) return refuse('WRONG_MOMENT')
    const changed = await set(row, tx)
    const [after] = await tx
      .update(imports)
      .set({ ...changed, askedBy: staff(scope).id })
      .where(eq(imports.id, id))
      .returning()
    if (changed.nextRow === 0) await enqueue(tx, processImportJob, { id }, id)
    await publishProgress(tx, after!)
    return toDetails(scope, after!)
  })
}

/** Starts a check with these columns. It writes only findings. */
export async function checkImport(scope: Scope, id: string, chosen: ColumnChoice[]) {
  const before = await getImport(scope, id)
  if (!before) return null
  const invalid = findColumnProblems(before.kind, before.columns, chosen)
  if (Object.keys(invalid).length > 0) return refuse('INVALID_MAPPING', { fields: invalid })
  return change(scope, id, ['mapping', 'checked'], async (row, tx) => {
    await tx.delete(importFindings).where(eq(importFindings.importId, id))
    await purgeKeys(tx, id)
    await releaseFiles(tx, id)
    const columns = row.columns.map((column, i) => ({ ...column, ...chosen[i]! }))
    return { status: 'checking', columns, checked: null, newTags: [], nextRow: 0 }
  })
}

export async function runImport(scope: Scope, id: string, onMatch: MatchChoice) {
  const before = await getImport(scope, id)
  if (before && !mayImport(staff(scope), before.kind, 'run')) return refuse('FORBIDDEN')
  if (before && before.kind !== 'patients' && onMatch === 'fill') return refuse('INVALID_CHOICE')
  return change(scope, id, ['checked'], async (_row, tx) => {
    // The run records new findings for the rows, but none for files without a row.
    await tx.delete(importFindings).where(and(eq(importFindings.importId, id), ne(importFindings.kind, 'unnamed')))
    return { status: 'running', onMatch, result: null, nextRow: 0 }
  })
}

/** Stops the import after the current batch; imported records stay. A finished import is not changed. */
export async function cancelImport(scope: Scope, id: string): Promise<ImportDetails | null> {
  const stopped = await change(scope, id, ['checking', 'running'], async (row, tx) => {
    if (row.status === 'checking') return { status: 'mapping' }
    await importTables[row.kind].endRun(tx, id)
    return { status: 'cancelled' }
  })
  return isRefusal(stopped) ? getImport(scope, id) : stopped
}

export async function undoImport(scope: Scope, id: string) {
  const before = await getImport(scope, id)
  if (before && !mayImport(staff(scope), before.kind, 'undo')) return refuse('FORBIDDEN')
  if (before && !before.canUndo) return refuse('WRONG_MOMENT')
  return change(scope, id, ['done', 'cancelled'], async () => ({ status: 'undoing', undone: 0, kept: 0, nextRow: 0 }))
}

/** Deletes an import that has not run. */
export async function discardImport(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select({ status: imports.status }).from(imports).where(visible(scope, id)).for('update')
    if (!row) return null
    if (row.status !== 'mapping' && row.status !== 'checked') return refuse('WRONG_MOMENT')
    await tx.delete(imports).where(eq(imports.id, id))
    return true
  })
}

/** A page of findings of one kind, by row; null if there is no such import. */
export async function listFindings(
  scope: Scope,
  { id, kind, cursor = 0, limit }: { id: string; kind: FindingKind; cursor?: number | undefined; limit: number },
): Promise<{ data: ImportFinding[]; nextCursor: number | null } | null> {
  if (!(await getImport(scope, id))) return null
  const rows = await scope.db
    .select()
    .from(importFindings)
    .where(and(eq(importFindings.importId, id), eq(importFindings.kind, kind), gt(importFindings.row, cursor)))
    .orderBy(asc(importFindings.row))
    .limit(limit + 1)
  const page = cursorPage(rows, limit, ({ row }) => row)
  const ids = page.data.flatMap(({ contactId }) => contactId ?? [])
  const known = await scope.db
    .select({ id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName })
    .from(contacts)
    .where(inArray(contacts.id, ids.length > 0 ? ids : [id]))
  if (known.length > 0) await scope.recordView({ kind: 'import', contactIds: known.map((contact) => contact.id) })
  const contactOf = new Map(known.map((contact) => [contact.id, contact]))
  const data = page.data.map(({ row, name, problems, note, contactId }) => ({
    row,
    name,
    problems,
    note,
    contact: contactOf.get(contactId ?? '') ?? null,
  }))
  return { data, nextCursor: page.nextCursor }
}

function toSummary(row: Import): ImportSummary {
  const { id, kind, fileName, status, rowCount, checked, result, undone, kept, createdAt, createdBy } = row
  return { id, kind, fileName, status, rows: rowCount, progress: getProgress(row), checked, result, undone, kept, createdAt, createdBy }
}

const sum = (counts: Record<string, number> | null) => Object.values(counts ?? {}).reduce((total, count) => total + count, 0)

function getProgress({ status, checked, result, undone, kept }: Import): number {
  if (status === 'undoing' || status === 'undone') return undone + kept
  const isBefore = status === 'mapping' || status === 'checking' || status === 'checked'
  return sum(isBefore ? checked && { ...checked, unnamed: 0 } : result)
}

function toDetails(scope: Scope, row: Import): ImportDetails {
  const { encoding, columns, onMatch, newTags, result, status, createdAt } = row
  const age = scope.now().getTime() - createdAt.getTime()
  const canUndo =
    (status === 'done' || status === 'cancelled') &&
    (result?.added ?? 0) + (result?.filled ?? 0) > 0 &&
    row.undone === 0 &&
    age < importRetentionDays * 24 * 3600_000
  return { ...toSummary(row), encoding, columns, onMatch, newTags, canUndo }
}
