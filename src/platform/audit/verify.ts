import { asc, desc, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { isStamped } from '../../kernel/seal.ts'
import { compare, sealedText } from './seal-rules.ts'
import { digestsOf, maxEntries, sealUse } from './seals.ts'
import { auditSeals } from './table.ts'

const sealsAtOnce = 50
/** In minutes: older entries should have been sealed. */
const sealedWithin = 60

export interface Verdict {
  /** Problems, one sentence each; empty if every entry matches its seal. */
  problems: string[]
  /** Number of entries that match their seal. */
  intact: number
  /** Recent entries that no seal covers yet. */
  unsealed: number
  /** The newest seal, to store elsewhere: '<number>:<seal>'. */
  newest: string | null
}

/**
 * Compares each log entry with its seal, and each seal with the previous one. `known`: seals stored elsewhere, in the verdict's format;
 * without one, removal of the newest entries together with their seals cannot be detected. `tail`: compares about this many entries at the end.
 */
export async function verifyLog(
  db: Db,
  env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS'>,
  known: readonly string[] = [],
  tail = Infinity,
): Promise<Verdict> {
  const problems: string[] = []
  const expected = new Set(known)
  const before = Number.isFinite(tail) ? await sealBefore(db, tail) : undefined
  let [intact, end, previous, newest] = [0, before?.toId ?? 0, before?.seal ?? '', null as string | null]
  for (;;) {
    const seals = await db.select().from(auditSeals).where(gt(auditSeals.fromId, end)).orderBy(asc(auditSeals.fromId)).limit(sealsAtOnce)
    if (seals.length === 0) break
    for (const seal of seals) {
      const range = `entries ${seal.fromId} to ${seal.toId}`
      if (seal.fromId !== end + 1) problems.push(`No seal holds entries ${end + 1} to ${seal.fromId - 1}: it was removed`)
      if (seal.toId - seal.fromId >= maxEntries || !isStamped(env, sealUse, sealedText(seal), seal.seal)) {
        problems.push(`The seal of ${range} was altered, or was not made by this installation`)
        // A forged seal proves nothing about its entries.
        ;[end, previous] = [Math.min(seal.toId, seal.fromId + maxEntries - 1), seal.seal]
        continue
      }
      if (seal.previous !== previous) problems.push(`The seal of ${range} does not follow the previous one: a seal was altered or removed`)
      const now = await digestsOf(db, seal.fromId, seal.toId)
      const { altered, missing, added } = compare(seal, now)
      problems.push(
        ...altered.map((id) => `Entry ${id} was altered`),
        ...missing.map((id) => `Entry ${id} is missing`),
        ...added.map((id) => `Entry ${id} was inserted afterwards`),
      )
      intact += now.size - altered.length - added.length
      ;[end, previous, newest] = [Math.max(end, seal.toId), seal.seal, `${seal.toId}:${seal.seal}`]
      expected.delete(newest)
    }
  }
  for (const seal of expected) problems.push(`The seal ${seal} is no longer there: it was altered, or removed together with its entries`)
  const { rows } = await db.execute<{ count: number; late: number }>(sql`
    select count(*)::int as count, (count(*) filter (where at < now() - make_interval(mins => ${sealedWithin})))::int as late
    from audit_log where id > ${end} or id < 1`)
  const { count = 0, late = 0 } = rows[0] ?? {}
  if (late > 0) problems.push(`${late} entries after ${end} are older than ${sealedWithin} minutes and have no seal`)
  return { problems, intact, unsealed: count, newest }
}

/** The last seal before the newest entries. */
async function sealBefore(db: Db, entries: number): Promise<{ toId: number; seal: string } | undefined> {
  const columns = { toId: auditSeals.toId, seal: auditSeals.seal }
  const [last] = await db.select(columns).from(auditSeals).orderBy(desc(auditSeals.fromId)).limit(1)
  if (!last) return undefined
  const [before] = await db
    .select(columns)
    .from(auditSeals)
    .where(lte(auditSeals.toId, last.toId - entries))
    .orderBy(desc(auditSeals.fromId))
    .limit(1)
  return before
}
