import fs from 'node:fs/promises'
import path from 'node:path'
import { inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { StoredFile } from '../../integrations/storage/store.ts'
import type { Scope } from '../../kernel/scope.ts'
import { incomingFolder } from '../../documents/service.ts'
import { unusedFiles } from '../../documents/table.ts'

const day = 24 * 60 * 60_000
/** Milliseconds: longer than the longest time in which a deleted or merged patient can come back (30 days). */
const keptFor = 32 * day
/** An upload's bytes are there before its row is. */
const youngerThan = 60 * 60_000
const batch = 500

/**
 * Sweeps the file store: bytes that nothing has referred to for 32 days are deleted, and deleted documents are forgotten after as long.
 * Documents whose bytes are missing are told in the log. What uploads that were killed have left half written goes after a day.
 */
export const sweepFiles = defineJob({
  name: 'documents.sweep-files',
  payload: z.object({}),
  cron: '17 7 * * *',
  async run(scope) {
    const now = scope.now()
    await scope.db.execute(sql`delete from documents where deleted_at < ${new Date(now.getTime() - keptFor).toISOString()}::timestamptz`)
    await scope.db.transaction(async (tx) => {
      await tx.execute(sql`create temp table seen_files (storage_key text) on commit drop`)
      const tables = await fileTables(tx)
      for await (const files of inBatches(scope.files.list(), batch)) {
        await tx.execute(sql`insert into seen_files select unnest(${sql.param(files.map(({ key }) => key))}::text[])`)
        await noteUnused(tx, tables, files, now)
      }
      await reportMissing(tx, scope, now)
    })
    await deleteUnused(scope)
    await clearIncoming(scope)
  },
})

/** Remembers since when files have been of no use, and forgets those that are used again. */
async function noteUnused(tx: Db, tables: readonly string[], files: readonly StoredFile[], now: Date): Promise<void> {
  const keys = files.filter(({ modifiedAt }) => modifiedAt.getTime() < now.getTime() - youngerThan).map(({ key }) => key)
  const given = sql`unnest(${sql.param(keys)}::text[]) as given (key)`
  const named = tables.map((table) => sql`exists (select 1 from ${sql.identifier(table)} where storage_key = given.key)`)
  const used = sql`(${sql.join(named, sql` or `)})`
  await tx.execute(sql`
    insert into unused_files (storage_key, found_at) select given.key, ${now.toISOString()}::timestamptz from ${given}
    where not ${used} on conflict do nothing`)
  await tx.execute(sql`delete from unused_files where storage_key in (select given.key from ${given} where ${used})`)
}

/** Every table whose `storage_key` names a file. Asked of the database, so that a table that is added later keeps its files too. */
async function fileTables(tx: Db): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'storage_key' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'unused_files'`)
  return rows.map(({ name }) => name)
}

async function deleteUnused({ db, files, now }: Scope): Promise<void> {
  for (;;) {
    const rows = await db
      .select()
      .from(unusedFiles)
      .where(lt(unusedFiles.foundAt, new Date(now().getTime() - keptFor)))
      .limit(batch)
    if (rows.length === 0) return
    for (const { storageKey } of rows) await files.delete(storageKey)
    const keys = rows.map(({ storageKey }) => storageKey)
    await db.delete(unusedFiles).where(inArray(unusedFiles.storageKey, keys))
  }
}

/** Of the documents that were there before the files were listed. */
async function reportMissing(tx: Db, { log }: Scope, before: Date): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from documents where created_at < ${before.toISOString()}::timestamptz
      and not exists (select 1 from seen_files where seen_files.storage_key = documents.storage_key)`)
  for (const { id } of rows) log.error({ documentId: id }, 'The bytes of a document are missing')
}

async function* inBatches<Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<Item[]> {
  let some: Item[] = []
  for await (const item of items) {
    some.push(item)
    if (some.length < most) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

async function clearIncoming({ env, now }: Scope): Promise<void> {
  const folder = incomingFolder(env)
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await fs.stat(file).catch(() => null)
    if (found && found.mtimeMs < now().getTime() - day) await fs.rm(file, { force: true })
  }
}
