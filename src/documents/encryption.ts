import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { DamagedFileError } from '../integrations/storage/store.ts'
import { defineJob, enqueue } from '../kernel/jobs.ts'
import type { Db } from '../kernel/postgres/database.ts'
import type { Scope } from '../kernel/scope.ts'
import { recordChange } from '../platform/audit/service.ts'
import { documents, fileEncryption } from './table.ts'

/** In milliseconds. A job that goes on for longer would keep a server from stopping. */
const runFor = 20_000

/**
 * Encrypts with the current key what is stored in plain text, as before files were encrypted, or with the key of an old APP_SECRET. Goes on in
 * another job until nothing is left; stopping it anywhere loses nothing.
 */
export const reencryptFiles = defineJob({
  name: 'files.reencrypt',
  payload: z.object({}),
  cron: '*/10 * * * *',
  after: 'all',
  async run(scope) {
    const until = Date.now() + runFor
    let [done, remaining] = [0, 0]
    for await (const key of scope.files.outdated()) {
      if (Date.now() < until && (await reencrypt(scope, key))) done++
      else remaining++
    }
    const counted = { remaining, countedAt: scope.now() }
    await scope.db.insert(fileEncryption).values(counted).onConflictDoUpdate({ target: fileEncryption.isOnly, set: counted })
    if (done > 0 && remaining > 0) await enqueue(scope.db, reencryptFiles, {}, 'files.reencrypt')
  },
})

/** False for a damaged file, which stays as it is. */
async function reencrypt({ files }: Scope, key: string): Promise<boolean> {
  try {
    await files.reencrypt(key)
    return true
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    return false
  }
}

/** How many files are not encrypted with the current key; null before they were first counted. */
export async function readFileEncryption(db: Db): Promise<{ remaining: number; countedAt: Date } | null> {
  const [row] = await db.select({ remaining: fileEncryption.remaining, countedAt: fileEncryption.countedAt }).from(fileEncryption)
  return row ?? null
}

/** Records in the audit log that a file was not given out, because it is not as it was written. */
export const recordDamage = defineJob({
  name: 'files.record-damage',
  payload: z.object({ key: z.string(), problem: z.string() }),
  async run(scope, { key, problem }) {
    const [document] = await scope.db
      .select({ id: documents.id, contactId: documents.contactId })
      .from(documents)
      .where(eq(documents.storageKey, key))
    await recordChange(scope.db, scope, {
      action: 'denied',
      kind: 'document',
      contactIds: document ? [document.contactId] : [],
      after: { ...(document && { id: document.id }), file: key, problem },
    })
  },
})
