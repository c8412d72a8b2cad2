import { createHash } from 'node:crypto'
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { announceContacts, ownersOf } from '../../../crm/contacts/service.ts'
import type { ImportProblem } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'
import { addFindings, toErrors, type Finding, toFinding } from './findings.ts'
import type { Import, ImportTable, OpenTable } from '../import-table.ts'
import { purgeKeys, saveKeys, findRowsByKey } from '../run/keys.ts'
import { fieldOfRef, toPatientRef } from './record-rows.ts'
import type { ReadRow, RowRules, RowValues } from '../reading/rows.ts'
import { emptyCounts } from '../run/run.ts'
import { importOutcomes, imports } from '../table.ts'
import { choosePatient, type Found } from '../patient-match-rules.ts'

/** A valid row with its patient and identity. */
export type ReadyRow = {
  row: ReadRow
  contactId: string | null
  /** Equal for rows with the same content for the same patient. */
  key: string
  /** The deterministic id of its record, so that a second import finds it even if it has changed. */
  id: string
}

/** A record that the undo kept, and why. */
export type KeptRecord = { name: string; note: string }
type Added = { id: string; filled?: Record<string, unknown> }

/** A kind of import whose rows are independent records, usually of a patient, which exist or not. */
export type RecordTable = {
  kind: Exclude<ImportKind, 'patients'>
  rules: (scope: Scope) => Promise<RowRules>
  /** Completes rows with data from the database, such as the files of documents. Idempotent. */
  attachFiles?: (tx: Db, job: Import, rows: readonly ReadRow[]) => Promise<ReadRow[]>
  /** The values that distinguish records of the same patient. */
  keyOf: (values: RowValues) => readonly unknown[]
  /** The existing records, by row. */
  known: (tx: Db, scope: Pick<Scope, 'env'>, rows: readonly ReadyRow[]) => Promise<Map<ReadyRow, string>>
  /** Creates the records in order, with all side effects except the patients' change events. */
  add: (tx: Db, scope: Scope, job: Import, rows: readonly ReadyRow[]) => Promise<Added[]>
  /** Deletes records that no one has changed since; returns those that are kept. */
  remove: (tx: Db, scope: Scope, job: Import, ids: readonly string[]) => Promise<Map<string, KeptRecord>>
  endCheck?: (tx: Db, job: Import) => Promise<void>
  endRun?: (tx: Db, id: string) => Promise<void>
}

/** The note for a record that already exists. */
const existsNote = 'Already exists'
const sameAsNote = (row: number) => `Same as row ${row}`

/** Creates the import of a record table. */
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

/** Resolves the patients and files of rows: returns the valid rows, and all rows with their problems. */
async function resolveRows(
  table: RecordTable,
  tx: Db,
  job: Import,
  rows: readonly ReadRow[],
): Promise<{ ready: ReadyRow[]; all: ReadRow[] }> {
  const completed = table.attachFiles ? await table.attachFiles(tx, job, rows) : rows
  const choices = await findPatients(tx, completed)
  const headerOf = new Map(job.columns.map(({ field, header }) => [field, header]))
  const ready: ReadyRow[] = []
  const all = completed.map((row, i) => {
    const choice = choices[i]
    const problems: ImportProblem[] = [...row.problems]
    if (choice && 'problem' in choice) {
      const field = fieldOfRef[choice.by]
      const value = row.values[field]
      problems.push({
        column: headerOf.get(field) ?? '',
        value: typeof value === 'string' ? value.slice(0, 200) : '',
        reason: choice.problem,
      })
    }
    const resolved = { ...row, problems }
    if (problems.length > 0) return resolved
    const contactId = choice && 'contactId' in choice ? choice.contactId : null
    const key = createHash('sha256')
      .update(JSON.stringify([table.kind, contactId, ...table.keyOf(row.values)]))
      .digest('base64url')
    ready.push({ row: resolved, contactId, key, id: uuidv5(key, namespace) })
    return resolved
  })
  return { ready, all }
}

/** The UUID namespace of imported records. Never change it: records from earlier imports are recognized by it. */
const namespace = '5d1b7e0a-3c84-4b8e-9a51-6f0b2f4f7c39'

async function findPatients(tx: Db, rows: readonly ReadRow[]) {
  const patientRefs = rows.map(({ values }) => toPatientRef(values))
  const owners = await ownersOf(tx, {
    ids: patientRefs.flatMap(({ id }) => id ?? []),
    emails: patientRefs.flatMap(({ email }) => email ?? []),
    phones: patientRefs.flatMap(({ phone }) => phone ?? []),
  })
  return patientRefs.map((ref) => {
    const found: Found = {
      id: ref.id === null ? null : (owners.byId.get(ref.id) ?? []),
      email: ref.email === null ? null : (owners.byEmail.get(ref.email) ?? []),
      phone: ref.phone === null ? null : (owners.byPhone.get(ref.phone) ?? []),
    }
    return choosePatient(ref, found)
  })
}

async function checkRecords(table: RecordTable, tx: Db, scope: Scope, job: Import, rows: readonly ReadRow[]): Promise<void> {
  const { ready, all } = await resolveRows(table, tx, job, rows)
  const findings: Finding[] = toErrors(job.id, all)
  const counts = job.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  counts.errors += findings.length
  const [known, seen] = await Promise.all([
    table.known(tx, scope, ready),
    findRowsByKey(
      tx,
      job.id,
      ready.map(({ key }) => key),
    ),
  ])
  const fresh = new Map<string, number>()
  for (const item of ready) {
    const { row, contactId, key } = item
    const first = seen.get(key) ?? fresh.get(key)
    if (known.has(item)) {
      counts.matches++
      findings.push({ ...toFinding(job.id, row), kind: 'match', contactId, note: existsNote })
    } else if (first !== undefined) {
      counts.duplicates++
      findings.push({ ...toFinding(job.id, row), kind: 'duplicate', contactId, note: sameAsNote(first) })
    } else {
      counts.fresh++
      fresh.set(key, row.row)
    }
  }
  await addFindings(tx, findings)
  await saveKeys(tx, job.id, fresh)
  await tx.update(imports).set({ checked: counts }).where(eq(imports.id, job.id))
}

async function runRecords(table: RecordTable, tx: Db, scope: Scope, job: Import, rows: readonly ReadRow[]): Promise<void> {
  // Serialize imports of the same kind, so that a second import of the same file finds the records of the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`import ${table.kind}`}))`)
  const { ready, all } = await resolveRows(table, tx, job, rows)
  const known = await table.known(tx, scope, ready)
  const createdEarlier = await findCreatingRows(tx, job.id, [...known.values()])
  const leaders = new Map<string, number>()
  const [adding, skipped]: [ReadyRow[], Finding[]] = [[], []]
  for (const item of ready) {
    const { row, contactId, key } = item
    const record = known.get(item)
    const first = (record === undefined ? undefined : createdEarlier.get(record)) ?? leaders.get(key)
    if (record === undefined && first === undefined) {
      leaders.set(key, row.row)
      adding.push(item)
    } else if (job.onMatch === 'add') adding.push({ ...item, id: uuidv7() })
    else if (first === undefined) skipped.push({ ...toFinding(job.id, row), kind: 'match', contactId, note: existsNote })
    else skipped.push({ ...toFinding(job.id, row), kind: 'duplicate', contactId, note: sameAsNote(first) })
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
  const errors = toErrors(job.id, all)
  await addFindings(tx, [...errors, ...skipped])
  const before = job.result ?? emptyCounts
  const result = {
    added: before.added + added.length,
    filled: 0,
    skipped: before.skipped + skipped.length,
    errors: before.errors + errors.length,
  }
  await tx.update(imports).set({ result }).where(eq(imports.id, job.id))
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** For records created by this import: the row each was created from. */
async function findCreatingRows(tx: Db, importId: string, recordIds: readonly string[]): Promise<Map<string, number>> {
  if (recordIds.length === 0) return new Map()
  const rows = await tx
    .select({ recordId: importOutcomes.recordId, row: importOutcomes.row })
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, importId), inArray(importOutcomes.recordId, [...recordIds])))
  return new Map(rows.map(({ recordId, row }) => [recordId!, row]))
}

/** How many records are undone in one transaction. */
const undoBatchSize = 500

async function undoRecords(table: RecordTable, tx: Db, scope: Scope, job: Import): Promise<number | null> {
  const outcomes = await tx
    .select()
    .from(importOutcomes)
    .where(and(eq(importOutcomes.importId, job.id), gte(importOutcomes.row, job.nextRow)))
    .orderBy(asc(importOutcomes.row))
    .limit(undoBatchSize)
  const ids = outcomes.flatMap(({ recordId }) => recordId ?? [])
  if (ids.length === 0) return null
  const kept = await table.remove(tx, scope, job, ids)
  await addFindings(
    tx,
    outcomes.flatMap(({ row, recordId, contactId }) => {
      const skipped = kept.get(recordId!)
      return skipped ? [{ importId: job.id, row, kind: 'kept' as const, contactId, ...skipped }] : []
    }),
  )
  await announceContacts(tx, distinct(outcomes.map(({ contactId }) => contactId)))
  await tx
    .update(imports)
    .set({ undone: job.undone + ids.length - kept.size, kept: job.kept + kept.size })
    .where(eq(imports.id, job.id))
  return outcomes.at(-1)!.row + 1
}
