import { sql } from 'drizzle-orm'
import { withSnapshot } from '../../kernel/postgres/snapshot.ts'
import type { Subject } from '../../kernel/patient-tables/registry.ts'
import type { RecordPart } from '../../kernel/patient-tables/rules.ts'
import { unseal } from '../../kernel/seal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { listDocuments, listPdfs, type RecordFile } from './files.ts'
import { getParts, getNamedColumns, rowsOf } from './parts.ts'

/** What the export has read so far. */
export type Found = { counts: Partial<Record<RecordPart, number>>; documents: RecordFile[]; pdfs: RecordFile[] }

type Line = { row: string; id: string | null; sealed: string | null }

/** Rows held in memory at a time; one email may be a megabyte. */
const batchSize = 20

/**
 * Streams every row stored about a patient as JSON, part by part, one row per line, and fills `found` with the row counts and the patient's
 * files. All reads see one snapshot of the database.
 */
export const recordJson = (scope: Scope, subject: Subject, found: Found): AsyncGenerator<string> =>
  withSnapshot(scope, async function* (snapshot) {
    const { db } = snapshot
    found.documents = await listDocuments(db, scope, subject.contactId)
    found.pdfs = await listPdfs(db, scope, subject.contactId)
    const paths = Object.fromEntries([...found.documents, ...found.pdfs].map(({ id, path }) => [id, path]))
    const columns = await getNamedColumns(db)
    yield `{\n"made_at": ${JSON.stringify(scope.now())},\n"made_by": ${JSON.stringify(scope.env.PRACTICE_NAME)}`
    for (const part of getParts()) {
      yield `,\n${JSON.stringify(part.name)}: [`
      let count = 0
      await db.execute(sql`declare lines no scroll cursor for ${rowsOf(part, subject, columns)}`)
      for (;;) {
        const { rows: batch } = await db.execute<Line>(sql`fetch ${sql.raw(String(batchSize))} from lines`)
        if (batch.length === 0) break
        const lines = batch.map(({ row, id, sealed }) => {
          const withFile = withMember(row, 'file', id === null ? undefined : paths[id])
          return part.sealed && sealed !== null
            ? withMember(withFile, part.sealed.as, unseal(scope.env, part.sealed.purpose, sealed))
            : withFile
        })
        yield lines.map((line, i) => `${count + i > 0 ? ',' : ''}\n${line}`).join('')
        count += batch.length
      }
      await db.execute(sql`close lines`)
      found.counts[part.name] = count
      yield count > 0 ? '\n]' : ']'
    }
    yield '\n}\n'
  })

/** Adds a member to the JSON of a row: the path of its file in the zip, or what was sealed (null if its secret is gone). */
const withMember = (row: string, name: string, value: string | null | undefined): string =>
  value === undefined ? row : `${row.slice(0, -1)}, ${JSON.stringify(name)}: ${JSON.stringify(value)}}`
