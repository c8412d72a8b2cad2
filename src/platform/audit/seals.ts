import { setTimeout as after } from 'node:timers/promises'
import { desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { stamp } from '../../kernel/seal.ts'
import { digestBytes, gapsIn, type Seal, sealedText } from './seal-rules.ts'
import { auditSeals } from './table.ts'

/** Purpose of the key that the seals are derived with. */
export const sealUse = 'audit seals'
/** Arbitrary lock id, the same in every process, so that only one process seals at a time. */
const sealingLock = 7_310_284_663
/** Of a seal. */
export const maxEntries = 2_000
const maxSeals = 20

/** Milliseconds to wait for open transactions before checking again. */
const maxWaitMs = 3_000
const askEvery = 50

/**
 * Seals what was added to the log since the last seal. `isMore`: there is more to seal, or open transactions may still add to it. Only
 * numbers below which nothing can appear any more are sealed: anyone who adds an entry holds the table's lock from before its number is
 * assigned until its transaction ends, so the holders at the time the last number is read are waited for; later ones need not be.
 */
export async function sealEntries({ db, env }: Pick<Scope, 'db' | 'env'>): Promise<Sealing> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ ours: boolean }>(sql`select pg_try_advisory_xact_lock(${sealingLock}) as ours`)
    const [before] = await lastSeal(tx)
    if (!rows[0]?.ours) return { sealed: [], before, isMore: false }
    let last = before
    const end = await lastNumber(tx)
    if (end <= (last?.toId ?? 0)) return { sealed: [], before, isMore: false }
    if (!(await haveEnded(tx, await writers(tx)))) return { sealed: [], before, isMore: true }

    const sealed: Sealed[] = []
    while (sealed.length < maxSeals && (last?.toId ?? 0) < end) {
      const fromId: number = (last?.toId ?? 0) + 1
      const toId = Math.min(end, fromId + maxEntries - 1)
      const entries = await digestsOf(tx, fromId, toId)
      const parts: Seal = {
        fromId,
        toId,
        gaps: gapsIn([...entries.keys()], fromId, toId),
        digests: Buffer.concat([...entries.values()]),
        previous: last?.seal ?? '',
      }
      const [made] = await tx
        .insert(auditSeals)
        .values({ ...parts, gaps: [...parts.gaps], seal: stamp(env, sealUse, sealedText(parts)) })
        .returning(newest)
      sealed.push((last = made!))
    }
    return { sealed, before, isMore: (last?.toId ?? 0) < end }
  })
}

const newest = { toId: auditSeals.toId, seal: auditSeals.seal, at: auditSeals.at }
type Sealed = { toId: number; seal: string; at: Date }
type Sealing = { sealed: Sealed[]; before: Sealed | undefined; isMore: boolean }

const lastSeal = (tx: Db): Promise<Sealed[]> => tx.select(newest).from(auditSeals).orderBy(desc(auditSeals.fromId)).limit(1)

async function lastNumber(tx: Db): Promise<number> {
  const { rows } = await tx.execute<{ last: string }>(
    sql`select case when is_called then last_value else last_value - 1 end as last from audit_log_id_seq`,
  )
  return Number(rows[0]?.last ?? 0)
}

/** Transactions that may hold a number and are still open. */
async function writers(tx: Db): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select distinct virtualtransaction as name from pg_locks
    where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
      and relation = 'audit_log'::regclass and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()`)
  return rows.map(({ name }) => name)
}

async function haveEnded(tx: Db, waitedFor: readonly string[]): Promise<boolean> {
  for (let waited = 0, left = waitedFor; left.length > 0; waited += askEvery) {
    if (waited >= maxWaitMs) return false
    await after(askEvery)
    const now = await writers(tx)
    left = left.filter((name) => now.includes(name))
  }
  return true
}

/** Seconds since the oldest entry that is not sealed yet was added; null if all are sealed. */
export async function oldestUnsealedSeconds(db: Db): Promise<number | null> {
  const { rows } = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from now() - at)::float8 as seconds from audit_log
    where id > coalesce((select to_id from audit_seals order by from_id desc limit 1), 0) order by id limit 1`)
  return rows[0]?.seconds ?? null
}

/** The content of an entry in a form that no session setting affects. */
const content: SQL = sql`jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, actor_id, actor_role, action, kind, contact_ids, before, after, request_id, address)::text`

/** Digests of the entries of a range, by ascending number. */
export async function digestsOf(db: Db, fromId: number, toId: number): Promise<Map<number, Buffer>> {
  const { rows } = await db.execute<{ id: string; digest: Buffer }>(sql`
    select id, substring(sha256(convert_to(${content}, 'UTF8')) from 1 for ${sql.raw(String(digestBytes))}) as digest
    from audit_log where id between ${fromId} and ${toId} order by id`)
  return new Map(rows.map(({ id, digest }) => [Number(id), digest]))
}
