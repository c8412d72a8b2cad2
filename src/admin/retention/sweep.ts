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
/** In milliseconds: longer than the longest time in which a deleted or merged patient can be restored (30 days). */
const gracePeriod = 32 * day
/** In milliseconds. Younger files are skipped, because an upload stores its bytes before it inserts its row. */
const minAge = 60 * 60_000
const batchSize = 500

/**
 * Sweeps the file store: deletes files that nothing has referred to for 32 days, and the rows of documents and photos deleted that long ago. Logs
 * documents whose bytes are missing. Deletes partial files left by interrupted uploads after a day.
 */
export const sweepFiles = defineJob({
  name: 'documents.sweep-files',
  payload: z.object({}),
  cron: '17 7 * * *',
  async run(scope) {
    const now = scope.now()
    const before = new Date(now.getTime() - gracePeriod).toISOString()
    for (const table of ['documents', 'photos'])
      await scope.db.execute(sql`delete from ${sql.identifier(table)} where deleted_at < ${before}::timestamptz`)
    await scope.db.transaction(async (tx) => {
      await tx.execute(sql`create temp table seen_files (storage_key text) on commit drop`)
      const tables = await fileTables(tx)
      for await (const files of inBatches(scope.files.list(), batchSize)) {
        await tx.execute(sql`insert into seen_files select unnest(${sql.param(files.map(({ key }) => key))}::text[])`)
        await markUnused(tx, tables, files, now)
      }
      await reportMissing(tx, scope, now)
    })
    await deleteUnused(scope)
    await clearIncoming(scope)
  },
})

/** Records when files were first found unused, and removes the record of files that are used again. */
async function markUnused(tx: Db, tables: readonly string[], files: readonly StoredFile[], now: Date): Promise<void> {
  const keys = files.filter(({ modifiedAt }) => modifiedAt.getTime() < now.getTime() - minAge).map(({ key }) => key)
  const given = sql`unnest(${sql.param(keys)}::text[]) as given (key)`
  const named = tables.map((table) => sql`exists (select 1 from ${sql.identifier(table)} where storage_key = given.key)`)
  const used = sql`(${sql.join(named, sql` or `)})`
  await tx.execute(sql`
    insert into unused_files (storage_key, found_at) select given.key, ${now.toISOString()}::timestamptz from ${given}
    where not ${used} on conflict do nothing`)
  await tx.execute(sql`delete from unused_files where storage_key in (select given.key from ${given} where ${used})`)
}

/** Every table with a `storage_key` column. Read from the database, so that the files of tables added later are kept too. */
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
      .where(lt(unusedFiles.foundAt, new Date(now().getTime() - gracePeriod)))
      .limit(batchSize)
    if (rows.length === 0) return
    for (const { storageKey } of rows) await files.delete(storageKey)
    const keys = rows.map(({ storageKey }) => storageKey)
    await db.delete(unusedFiles).where(inArray(unusedFiles.storageKey, keys))
  }
}

/** Logs the documents whose bytes are missing, among those that existed before the files were listed. */
async function reportMissing(tx: Db, { log }: Scope, before: Date): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from documents where created_at < ${before.toISOString()}::timestamptz
      and not exists (select 1 from seen_files where seen_files.storage_key = documents.storage_key)`)
  for (const { id } of rows) log.error({ documentId: id }, 'The bytes of a document are missing')
}

async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function clearIncoming({ env, now }: Scope): Promise<void> {
  const folder = incomingFolder(env)
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await fs.stat(file).catch(() => null)
    if (found && found.mtimeMs < now().getTime() - day) await fs.rm(file, { force: true })
  }
}
