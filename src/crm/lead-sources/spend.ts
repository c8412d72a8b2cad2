import { and, asc, between, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { leadSources, sourceSpend } from './table.ts'

interface SpendChange {
  /** Its first day. */
  month: string
  cents: number | null
  /** The amount that the change is based on. */
  before: number | null
}

/** What was spent on each source in the months of a year. Sources are in the order of their names, retired ones included. */
export async function listSpend(db: Db, year: number) {
  const rows = await db
    .select({
      id: leadSources.id,
      name: leadSources.name,
      isActive: leadSources.isActive,
      month: sourceSpend.month,
      cents: sourceSpend.cents,
    })
    .from(leadSources)
    .leftJoin(sourceSpend, and(eq(sourceSpend.sourceId, leadSources.id), between(sourceSpend.month, `${year}-01-01`, `${year}-12-01`)))
    .orderBy(asc(sql`fold(${leadSources.name})`), asc(leadSources.id), asc(sourceSpend.month))
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofSource) => {
    const { id, name, isActive } = ofSource[0]!
    return { id, name, isActive, months: ofSource.flatMap(({ month, cents }) => (month === null ? [] : [{ month, cents: cents! }])) }
  })
}

/**
 * Sets the amounts of one source in these months, all or none; null clears a month. CHANGED_MEANWHILE: a month no longer has the amount that
 * the change is based on, nor the wanted one, so a repeated request succeeds. Null: the source does not exist.
 */
export async function setSpend(scope: Scope, { id, months }: { id: string; months: readonly SpendChange[] }) {
  return scope.db.transaction(async (tx) => {
    // Other changes of the source's amounts, its move and its deletion wait for this one.
    const [source] = await tx.select({ name: leadSources.name }).from(leadSources).where(eq(leadSources.id, id)).for('no key update')
    if (!source) return null
    const isAsked = and(
      eq(sourceSpend.sourceId, id),
      inArray(
        sourceSpend.month,
        months.map(({ month }) => month),
      ),
    )
    const current = new Map((await tx.select().from(sourceSpend).where(isAsked)).map(({ month, cents }) => [month, cents]))
    const changes = months.filter(({ month, cents }) => (current.get(month) ?? null) !== cents)
    if (changes.some(({ month, before }) => (current.get(month) ?? null) !== before)) return refuse('CHANGED_MEANWHILE')
    for (const { month, cents } of changes) {
      const row = { cents: cents ?? 0, updatedAt: scope.now() }
      if (cents === null) await tx.delete(sourceSpend).where(and(eq(sourceSpend.sourceId, id), eq(sourceSpend.month, month)))
      else
        await tx
          .insert(sourceSpend)
          .values({ ...row, sourceId: id, month })
          .onConflictDoUpdate({ target: [sourceSpend.sourceId, sourceSpend.month], set: row })
    }
    if (changes.length > 0) {
      const spendOf = (amounts: readonly (readonly [string, number | null])[]) => ({
        id,
        name: source.name,
        spend: Object.fromEntries(amounts),
      })
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'lead-source',
        contactIds: [],
        before: spendOf(changes.map(({ month, before }) => [month, before])),
        after: spendOf(changes.map(({ month, cents }) => [month, cents])),
      })
      await publish(tx, 'vocabulary', id)
    }
    return tx
      .select({ month: sourceSpend.month, cents: sourceSpend.cents })
      .from(sourceSpend)
      .where(isAsked)
      .orderBy(asc(sourceSpend.month))
  })
}
