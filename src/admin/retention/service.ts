import { eq, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { RetentionRule } from './contract.ts'
import { kinds } from './purge.ts'
import { checkDays, type RetentionKind, retentionDays, retentionKinds } from './rules.ts'
import { retentionRules } from './table.ts'

type Row = typeof retentionRules.$inferSelect

const toRule = (kind: RetentionKind, row: Row | undefined): RetentionRule => ({
  kind,
  isOn: row?.isOn ?? false,
  days: row?.days ?? retentionDays[kind].default,
  minDays: retentionDays[kind].min,
  maxDays: retentionDays[kind].max,
  lastRunAt: row?.lastRunAt ?? null,
  lastCount: row?.lastCount ?? null,
})

export async function listRules({ db }: Scope): Promise<RetentionRule[]> {
  const rows = new Map((await db.select().from(retentionRules)).map((row) => [row.kind, row]))
  return retentionKinds.map((kind) => toRule(kind, rows.get(kind)))
}

/** The refusal for a number of days that is not allowed; otherwise null. */
function refuseDays(kind: RetentionKind, days: number) {
  const problem = checkDays(kind, days)
  return problem && refuse(problem.code, { fields: { days: problem.message } })
}

/** Sets a rule; it takes effect at the next nightly run. */
export async function setRule(scope: Scope, { kind, isOn, days }: Pick<RetentionRule, 'kind' | 'isOn' | 'days'>) {
  const refused = refuseDays(kind, days)
  if (refused) return refused
  return scope.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('retention'))`)
    const [row] = await tx.select().from(retentionRules).where(eq(retentionRules.kind, kind))
    const before = { isOn: row?.isOn ?? false, days: row?.days ?? null }
    const changes = difference(before, { isOn, days })
    const [after] = await tx
      .insert(retentionRules)
      .values({ kind, isOn, days })
      .onConflictDoUpdate({ target: retentionRules.kind, set: { isOn, days } })
      .returning()
    if (Object.keys(changes.after).length > 0) {
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'retention',
        contactIds: [],
        before: { kind, ...changes.before },
        after: { kind, ...changes.after },
      })
      await publish(tx, 'retention', kind, { accounts: [], roles: ['admin'] })
    }
    return toRule(kind, after)
  })
}

const cutoff = ({ now }: Scope, days: number) => sql`${new Date(now().getTime() - days * 24 * 3_600_000).toISOString()}::timestamptz`

/** Counts the records a rule would delete now, without deleting them. */
export async function countRule(scope: Scope, kind: RetentionKind, days: number) {
  const refused = refuseDays(kind, days)
  if (refused) return refused
  const { rows } = await scope.db.execute<{ count: number }>(sql`select count(*)::int as count ${kinds[kind].rows(cutoff(scope, days))}`)
  return rows[0]!.count
}

/**
 * Deletes records by the rules, in batches. Each batch is a transaction that reads its rule again, so turning the rule off stops the run.
 */
export async function purgeByRules(scope: Scope): Promise<void> {
  for (const kind of retentionKinds) {
    let total = 0
    while (await purgeBatch(scope, kind, (count) => void (total += count))) {
      // repeat until nothing is left
    }
    if (total > 0) scope.log.info({ kind, count: total }, 'Deleted records by a retention rule')
  }
}

async function purgeBatch(scope: Scope, kind: RetentionKind, add: (count: number) => void): Promise<boolean> {
  return scope.db.transaction(async (tx) => {
    const [rule] = await tx.select().from(retentionRules).where(eq(retentionRules.kind, kind)).for('update')
    if (!rule?.isOn || checkDays(kind, rule.days)) return false
    const { batchSize, purge } = kinds[kind]
    const count = await purge(tx, scope, cutoff(scope, rule.days), batchSize)
    add(count)
    const isSameRun = rule.lastRunAt && scope.now().getTime() - rule.lastRunAt.getTime() < 3_600_000
    await tx
      .update(retentionRules)
      .set({ lastRunAt: scope.now(), lastCount: count + (isSameRun ? (rule.lastCount ?? 0) : 0) })
      .where(eq(retentionRules.kind, kind))
    if (count > 0) {
      await recordChange(tx, scope, { action: 'deleted', kind: 'retention', contactIds: [], after: { kind, count, days: rule.days } })
      await publish(tx, 'retention', kind, { accounts: [], roles: ['admin'] })
    }
    return count === batchSize
  })
}
