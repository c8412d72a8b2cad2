import { createHash } from 'node:crypto'
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { announceContacts, ownersOf } from '../../../crm/contacts/service.ts'
import type { ImportProblem } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'
import { addFindings, errorsOf, type Finding, ofRow } from './findings.ts'
import type { Import, ImportTable, OpenTable } from '../import-table.ts'
import { purgeKeys, rememberKeys, rowsWithKeys } from '../keys.ts'
import { fieldOfWhose, whoseOf } from './record-rows.ts'
import type { ReadRow, RowRules, RowValues } from '../reading/rows.ts'
import { nothingYet } from '../run.ts'
import { importOutcomes, imports } from '../table.ts'
import { choosePatient, type Found } from '../whose-rules.ts'

/** A row that can be written: whose it is, and what tells its record from others. */
export type Ready = {
  row: ReadRow
  contactId: string | null
  /** The same for rows that say the same thing of the same patient. */
  key: string
  /** What a record made of it is called, always the same: a second import finds it, whatever has become of it since. */
  id: string
}

/** What the undo has left, and why. */
export type KeptRecord = { name: string; note: string }
type Added = { id: string; filled?: Record<string, unknown> }

/** A table whose rows are records of their own, mostly of some patient, that are there or are not. */
export type RecordTable = {
  kind: Exclude<ImportKind, 'patients'>
  rules: (scope: Scope) => Promise<RowRules>
  /** Adds to each row what only the database knows: of documents, their files. Twice does no harm. */
  settle?: (tx: Db, job: Import, rows: readonly ReadRow[]) => Promise<ReadRow[]>
  /** What tells one from others of the same patient. */
  keyOf: (values: RowValues) => readonly unknown[]
  /** The records that are there already, by the row. */
  known: (tx: Db, scope: Pick<Scope, 'env'>, rows: readonly Ready[]) => Promise<Map<Ready, string>>
  /** Writes them, in their order, with all that belongs to their beginning but for the news of their patients. */
  add: (tx: Db, scope: Scope, job: Import, rows: readonly Ready[]) => Promise<Added[]>
  /** Takes records away that no one has changed since; answers those that stay. */
  remove: (tx: Db, scope: Scope, job: Import, ids: readonly string[]) => Promise<Map<string, KeptRecord>>
  endCheck?: (tx: Db, job: Import) => Promise<void>
  endRun?: (tx: Db, id: string) => Promise<void>
}

/** How a record that is there already is told to the person. */
const thereAlready = 'Already exists'
const sameAs = (row: number) => `Says the same as row ${row}`

/** The import of such a table: one way for all of them. */
export function recordTable(table: RecordTable): ImportTable {
  return {
    async open(scope): Promise<OpenTable> {
      return {
        rules: await table.rules(scope),
        check: (tx, { job, rows }) => checkRecords(table, tx, scope, job, rows),
        run: (tx, actor, { job, rows }) => runRecords(table, tx, actor, job, rows),
      }
    },
    async endCheck(tx, job) {
      await purgeKeys(tx, job.id)
      await table.endCheck?.(tx, job)
    },
    endRun: async (tx, id) => table.endRun?.(tx, id),
    undo: (tx, scope, job) => undoRecords(table, tx, scope, job),
  }
}

/** What can be made of rows: those that are ready, and all with what is wrong with them. */
async function settle(table: RecordTable, tx: Db, job: Import, rows: readonly ReadRow[]): Promise<{ ready: Ready[]; all: ReadRow[] }> {
  const filed = table.settle ? await table.settle(tx, job, rows) : rows
  const whose = await findPatients(tx, filed)
  const headerOf = new Map(job.columns.map(({ field, header }) => [field, header]))
  const ready: Ready[] = []
  const all = filed.map((row, i) => {
    const choice = whose[i]
    const problems: ImportProblem[] = [...row.problems]
    if (choice && 'wrong' in choice) {
      const field = fieldOfWhose[choice.by]
      const said = row.values[field]
      problems.push({ column: headerOf.get(field) ?? '', value: typeof said === 'string' ? said.slice(0, 200) : '', reason: choice.wrong })
    }
    const settled = { ...row, problems }
    if (problems.length > 0) return settled
    const contactId = choice && 'contactId' in choice ? choice.contactId : null
    const key = createHash('sha256').update(JSON.stringify([table.kind, contactId, ...table.keyOf(row.values)])).digest('base64url') // biome-ignore format: one chain
    ready.push({ row: settled, contactId, key, id: uuidv5(key, namespace) })
    return settled
  })
  return { ready, all }
}

/** Whose ids are made of imported rows. Never to be changed: records that were imported before are known by it. */
const namespace = '5d1b7e0a-3c84-4b8e-9a51-6f0b2f4f7c39'

async function findPatients(tx: Db, rows: readonly ReadRow[]) {
  const given = rows.map(({ values }) => whoseOf(values))
  const owners = await ownersOf(tx, {
    ids: given.flatMap(({ id }) => id ?? []),
    emails: given.flatMap(({ email }) => email ?? []),
    phones: given.flatMap(({ phone }) => phone ?? []),
  })
  return given.map((whose) => {
    const found: Found = {
      id: whose.id === null ? null : (owners.byId.get(whose.id) ?? []),
      email: whose.email === null ? null : (owners.byEmail.get(whose.email) ?? []),
      phone: whose.phone === null ? null : (owners.byPhone.get(whose.phone) ?? []),
    }
    return choosePatient(whose, found)
  })
}

async function checkRecords(table: RecordTable, tx: Db, scope: Scope, job: Import, rows: readonly ReadRow[]): Promise<void> {
  const { ready, all } = await settle(table, tx, job, rows)
  const findings: Finding[] = errorsOf(job.id, all)
  const counts = job.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  counts.errors += findings.length
  const [known, seen] = await Promise.all([table.known(tx, scope, ready), rowsWithKeys(tx, job.id, ready.map(({ key }) => key))]) // biome-ignore format: one line
  const fresh = new Map<string, number>()
  for (const one of ready) {
    const { row, contactId, key } = one
    const first = seen.get(key) ?? fresh.get(key)
    if (known.has(one)) {
      counts.matches++
      findings.push({ ...ofRow(job.id, row), kind: 'match', contactId, note: thereAlready })
    } else if (first !== undefined) {
      counts.duplicates++
      findings.push({ ...ofRow(job.id, row), kind: 'duplicate', contactId, note: sameAs(first) })
    } else {
      counts.fresh++
      fresh.set(key, row.row)
    }
  }
  await addFindings(tx, findings)
  await rememberKeys(tx, job.id, fresh)
  await tx.update(imports).set({ checked: counts }).where(eq(imports.id, job.id))
}

async function runRecords(table: RecordTable, tx: Db, scope: Scope, job: Import, rows: readonly ReadRow[]): Promise<void> {
  // Two imports of the same file: the second finds what the first has made.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`import ${table.kind}`}))`)
  const { ready, all } = await settle(table, tx, job, rows)
  const known = await table.known(tx, scope, ready)
  const madeBefore = await rowsThatMade(tx, job.id, [...known.values()])
  const leaders = new Map<string, number>()
  const [adding, left]: [Ready[], Finding[]] = [[], []]
  for (const one of ready) {
    const { row, contactId, key } = one
    const record = known.get(one)
    const first = (record === undefined ? undefined : madeBefore.get(record)) ?? leaders.get(key)
    if (record === undefined && first === undefined) {
      leaders.set(key, row.row)
      adding.push(one)
    } else if (job.onMatch === 'add') adding.push({ ...one, id: uuidv7() })
    else if (first === undefined) left.push({ ...ofRow(job.id, row), kind: 'match', contactId, note: thereAlready })
    else left.push({ ...ofRow(job.id, row), kind: 'duplicate', contactId, note: sameAs(first) })
  }

  const added = adding.length > 0 ? await table.add(tx, scope, job, adding) : []
  if (added.length > 0) {
    const outcomes = added.map(({ id, filled }, i) => ({
      importId: job.id,
      row: adding[i]!.row.row,
      contactId: adding[i]!.contactId,
      recordId: id,
      kind: 'added' as const,
      filled: filled ?? null,
    }))
    await tx.insert(importOutcomes).values(outcomes)
    await announceContacts(tx, distinct(adding.map(({ contactId }) => contactId)))
  }
  const errors = errorsOf(job.id, all)
  await addFindings(tx, [...errors, ...left])
  const before = job.result ?? nothingYet
  const result = {
    added: before.added + added.length,
    filled: 0,
    skipped: before.skipped + left.length,
    errors: before.errors + errors.length,
  }
  await tx.update(imports).set({ result }).where(eq(imports.id, job.id))
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** Of records that this import itself has made: of which row. */
async function rowsThatMade(tx: Db, importId: string, recordIds: readonly string[]): Promise<Map<string, number>> {
  if (recordIds.length === 0) return new Map()
  const rows = await tx
    .select({ recordId: importOutcomes.recordId, row: importOutcomes.row })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), inArray(importOutcomes.recordId, [...recordIds])))
  return new Map(rows.map(({ recordId, row }) => [recordId!, row]))
}

/** As many as are taken back in one transaction. */
const undoAtOnce = 500

async function undoRecords(table: RecordTable, tx: Db, scope: Scope, job: Import): Promise<number | null> {
  const outcomes = await tx
    .select()
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, job.id), gte(importOutcomes.row, job.nextRow)))
    .orderBy(asc(importOutcomes.row))
    .limit(undoAtOnce)
  const ids = outcomes.flatMap(({ recordId }) => recordId ?? [])
  if (ids.length === 0) return null
  const kept = await table.remove(tx, scope, job, ids)
  await addFindings(
    tx,
    outcomes.flatMap(({ row, recordId, contactId }) => {
      const left = kept.get(recordId!)
      return left ? [{ importId: job.id, row, kind: 'kept' as const, contactId, ...left }] : []
    }),
  )
  await announceContacts(tx, distinct(outcomes.map(({ contactId }) => contactId)))
  await tx
    .update(imports)
    .set({ undone: job.undone + ids.length - kept.size, kept: job.kept + kept.size })
    .where(eq(imports.id, job.id))
  return outcomes.at(-1)!.row + 1
}
