import { sql } from 'drizzle-orm'
import { atOneMoment } from '../../kernel/postgres/one-moment.ts'
import type { Subject } from '../../kernel/patient-tables/registry.ts'
import type { RecordPart } from '../../kernel/patient-tables/rules.ts'
import type { Scope } from '../../kernel/scope.ts'
import { documentsOf, papersOf, type RecordFile } from './files.ts'
import { getParts, namingColumns, rowsOf } from './parts.ts'

/** What was found, as far as it has been read. */
export type Found = { counts: Partial<Record<RecordPart, number>>; documents: RecordFile[]; papers: RecordFile[] }

/** Rows in memory at a time; a mail may have a megabyte. */
const atOnce = 20

/**
 * Every row that is kept of a patient, as JSON, part by part, a row to a line; and, into `found`, how many there were and which files belong to
 * them. All of it is as it was at one moment.
 */
export const recordJson = (scope: Scope, whose: Subject, found: Found): AsyncGenerator<string> =>
  atOneMoment(scope, async function* (still) {
    const { db } = still
    found.documents = await documentsOf(db, scope, whose.contactId)
    found.papers = await papersOf(db, scope, whose.contactId)
    const paths = Object.fromEntries([...found.documents, ...found.papers].map(({ id, path }) => [id, path]))
    const columns = await namingColumns(db)
    yield `{\n"made_at": ${JSON.stringify(scope.now())},\n"made_by": ${JSON.stringify(scope.env.PRACTICE_NAME)}`
    for (const part of getParts()) {
      yield `,\n${JSON.stringify(part.name)}: [`
      let count = 0
      await db.execute(sql`declare lines no scroll cursor for ${rowsOf(part, whose, columns)}`)
      for (;;) {
        const { rows: some } = await db.execute<{ row: string; id: string | null }>(sql`fetch ${sql.raw(String(atOnce))} from lines`)
        if (some.length === 0) break
        yield some.map(({ row, id }, i) => `${count + i > 0 ? ',' : ''}\n${withFile(row, id === null ? undefined : paths[id])}`).join('')
        count += some.length
      }
      await db.execute(sql`close lines`)
      found.counts[part.name] = count
      yield count > 0 ? '\n]' : ']'
    }
    yield '\n}\n'
  })

/** A row with where its file is in the zip. */
const withFile = (row: string, path: string | undefined): string =>
  path === undefined ? row : `${row.slice(0, -1)}, "file": ${JSON.stringify(path)}}`
