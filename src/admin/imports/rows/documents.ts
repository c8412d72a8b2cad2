import { and, eq, sql } from 'drizzle-orm'
import { fileRefusals } from '../../../documents/contract.ts'
import type { DocumentType, FileKind } from '../../../documents/rules.ts'
import { deleteUntouched, insertDocument, withExtension } from '../../../documents/service.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { staff } from '../../../kernel/scope.ts'
import { fileKey, findFileKeys } from '../file-rules.ts'
import type { Import } from '../import-table.ts'
import { documentRows } from './record-rows.ts'
import type { KeptRecord, RecordTable } from './records.ts'
import type { ReadRow, RowValues } from '../reading/rows.ts'
import { importFiles, imports } from '../table.ts'

type ImportFile = typeof importFiles.$inferSelect

/** Documents: each row refers to a file uploaded with the table (see files.ts), which was inspected like any upload. */
export const documentRecords: RecordTable = {
  kind: 'documents',
  rules: async () => documentRows(),
  attachFiles: claimFiles,
  keyOf: ({ sha256 }) => [sha256],
  async known(tx, _scope, rows) {
    const given = rows.map(({ row: { values }, contactId }, place) => ({ place, contactId, sha256: values.sha256 }))
    const { rows: found } = await tx.execute<{ place: number; id: string }>(sql`
      select place, documents.id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(place int, "contactId" uuid, sha256 text)
      join documents on documents.contact_id = given."contactId" and documents.sha256 = given.sha256 and documents.deleted_at is null`)
    return new Map(found.map(({ place, id }) => [rows[place]!, id]))
  },
  async add(tx, scope, _job, rows) {
    const added: { id: string }[] = []
    for (const { row, contactId } of rows) {
      const { id } = await insertDocument(tx, scope, {
        ...toFileValues(row.values),
        contactId: contactId!,
        uploadSource: 'clinic',
        documentType: (row.values.documentType as DocumentType | undefined) ?? 'other',
        description: (row.values.description as string | undefined) ?? null,
        isShared: row.values.isShared === true,
        reviewState: 'accepted',
        uploadedBy: staff(scope).id,
        createdAt: scope.now(),
      })
      added.push({ id })
    }
    return added
  },
  async remove(tx, scope, _job, ids) {
    const { touched, gone } = await deleteUntouched(tx, scope, ids)
    return new Map<string, KeptRecord>([
      ...[...touched].map(([id, name]) => [id, { name, note: 'Someone has changed this document since' }] as const),
      ...[...gone].map((id) => [id, { name: '', note: 'This document has been deleted since' }] as const),
    ])
  },
  endCheck: recordUnnamedFiles,
  // Imported files now have a document row; the others are no longer needed.
  endRun: async (tx, id) => void (await tx.delete(importFiles).where(eq(importFiles.importId, id))),
}

/** The document values that `claimFiles` added to a row. */
function toFileValues({ documentId, fileName, name, mimeType, size, sha256, storageKey }: RowValues) {
  const original = fileName as string
  return {
    id: documentId as string,
    name: typeof name === 'string' ? withExtension(name, { name: original }) : original,
    mimeType: mimeType as FileKind,
    size: size as number,
    sha256: sha256 as string,
    storageKey: storageKey as string,
  }
}

/**
 * Assigns to each row the file it refers to. If two rows refer to one file, the first gets it, because we cannot decide between two
 * patients.
 */
async function claimFiles(tx: Db, job: Import, rows: readonly ReadRow[]): Promise<ReadRow[]> {
  const header = job.columns.find(({ field }) => field === 'file')?.header ?? ''
  const named = rows.map(({ values }) => (typeof values.file === 'string' ? values.file : ''))
  const bases = [...new Set(named.map((file) => fileKey(file).base))]
  const files = await tx
    .select()
    .from(importFiles)
    .where(and(eq(importFiles.importId, job.id), sql`${importFiles.base} = any(${sql.param(bases)}::text[])`))
  const byBase = Map.groupBy(files, ({ base }) => base)
  const claimed = new Map<string, number>()
  const given = rows.map((row, i) => {
    const file = named[i]!
    if (file === '') return row
    const found = claim(byBase.get(fileKey(file).base) ?? [], file, row.row)
    if (typeof found === 'string')
      return { ...row, problems: [...row.problems, { column: header, value: file.slice(0, 200), reason: found }] }
    claimed.set(found.key, row.row)
    if (found.refusal !== null) {
      const reason = fileRefusals[found.refusal].message
      return { ...row, problems: [...row.problems, { column: header, value: file.slice(0, 200), reason }] }
    }
    const { documentId, name: fileName, mimeType, size, sha256, storageKey } = found
    return { ...row, values: { ...row.values, documentId, fileName, mimeType, size, sha256, storageKey } }
  })
  await tx.execute(sql`
    update import_files set row = claim.row
    from unnest(${sql.param([...claimed.keys()])}::text[], ${sql.param([...claimed.values()])}::int[]) as claim(key, row)
    where import_id = ${job.id} and import_files.key = claim.key and import_files.row is null`)
  return given
}

function claim(files: ImportFile[], named: string, row: number): ImportFile | string {
  const keys = findFileKeys(
    named,
    files.map(({ key }) => key),
  )
  const [file] = files.filter(({ key }) => key === keys[0])
  if (!file) return 'No file with this name was uploaded'
  if (keys.length > 1)
    return `Several files have this name. Include the folder: ${files
      .map(({ path }) => path)
      .slice(0, 3)
      .join(', ')}`
  if (file.row !== null && file.row !== row) return `Row ${file.row} already uses this file`
  file.row = row
  return file
}

/** Records the files that no row refers to, which suggests a missing row or the wrong folder. */
async function recordUnnamedFiles(tx: Db, job: Import): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    insert into import_findings (import_id, kind, row, name, note)
    select import_id, 'unnamed', row_number() over (order by key), path, 'No row uses this file'
    from import_files where import_id = ${job.id} and row is null`)
  if (job.checked)
    await tx
      .update(imports)
      .set({ checked: { ...job.checked, unnamed: rowCount ?? 0 } })
      .where(eq(imports.id, job.id))
}

/** Called before rows are checked again. */
export async function releaseFiles(tx: Db, importId: string): Promise<void> {
  await tx.update(importFiles).set({ row: null }).where(eq(importFiles.importId, importId))
}
