import { asc, gt, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { isStamped } from '../../kernel/sealed.ts'
import { compare, sealedText } from './seal-rules.ts'
import { digestsOf, maxEntries, sealUse } from './seals.ts'
import { auditSeals } from './table.ts'

const sealsAtOnce = 50
/** In minutes: what is older than that should have been sealed. */
const sealedWithin = 60

export interface Verdict {
  /** What is wrong, each in a sentence; empty: everything is as it was sealed. */
  problems: string[]
  /** How many entries were found as they were sealed. */
  intact: number
  /** Entries of the last moments, which no seal holds yet. */
  unsealed: number
  /** The newest seal, to be kept elsewhere: '<number>:<seal>'. */
  newest: string | null
}

/**
 * Compares each entry of the log with its seal, and each seal with the one before. `known`: seals that were kept elsewhere, as the verdict tells
 * them; without one, no one can tell that the newest entries were taken away together with their seals.
 */
export async function verifyLog(db: Db, env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>, known: readonly string[] = []): Promise<Verdict> {
  const problems: string[] = []
  const expected = new Set(known)
  let [intact, end, previous, newest] = [0, 0, '', null as string | null]
  for (;;) {
    const seals = await db.select().from(auditSeals).where(gt(auditSeals.fromId, end)).orderBy(asc(auditSeals.fromId)).limit(sealsAtOnce)
    if (seals.length === 0) break
    for (const seal of seals) {
      const range = `entries ${seal.fromId} to ${seal.toId}`
      if (seal.fromId !== end + 1) problems.push(`No seal holds entries ${end + 1} to ${seal.fromId - 1}: it was taken away`)
      if (seal.toId - seal.fromId >= maxEntries || !isStamped(env, sealUse, sealedText(seal), seal.seal)) {
        problems.push(`The seal of ${range} was altered, or is not of this installation’s making`)
        // What it says of its entries is worth nothing.
        ;[end, previous] = [Math.min(seal.toId, seal.fromId + maxEntries - 1), seal.seal]
        continue
      }
      if (seal.previous !== previous) problems.push(`The seal of ${range} does not follow the one before: a seal was altered or taken away`)
      const now = await digestsOf(db, seal.fromId, seal.toId)
      const { altered, missing, added } = compare(seal, now)
      problems.push(
        ...altered.map((id) => `Entry ${id} was altered`),
        ...missing.map((id) => `Entry ${id} is missing`),
        ...added.map((id) => `Entry ${id} was put in afterwards`),
      )
      intact += now.size - altered.length - added.length
      ;[end, previous, newest] = [Math.max(end, seal.toId), seal.seal, `${seal.toId}:${seal.seal}`]
      expected.delete(newest)
    }
  }
  for (const seal of expected) problems.push(`The seal ${seal} is no longer there: it was altered, or taken away with what it held`)
  const { rows } = await db.execute<{ count: number; late: number }>(sql`
    select count(*)::int as count, (count(*) filter (where at < now() - make_interval(mins => ${sealedWithin})))::int as late
    from audit_log where id > ${end} or id < 1`)
  const { count = 0, late = 0 } = rows[0] ?? {}
  if (late > 0) problems.push(`${late} entries after ${end} are older than ${sealedWithin} minutes and have no seal`)
  return { problems, intact, unsealed: count, newest }
}
