import { and, asc, count, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { permissions } from '../../kernel/access/policy.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { withKnownFilters } from './named.ts'
import { mayChangeSaved, maySeeSaved } from './policy.ts'
import { maxSaved, type NewSavedReport, type NewSchedule, type SavedReport } from './saved-contract.ts'
import { nextDue } from './schedule-rules.ts'
import { savedReports } from './table.ts'

type Row = typeof savedReports.$inferSelect
/** With fields left out that stay as they are. */
type Change = { [Key in keyof NewSavedReport]?: NewSavedReport[Key] | undefined }

/** Who may be sent a report: an active account whose role reads reports. */
export const readsReports = ({ status, role }: { status: string; role: Role }): boolean =>
  status === 'active' && (permissions['reports.run'] as readonly Role[]).includes(role)

/** One's own saved reports and those that are shared, by name. */
export async function listSaved(scope: Scope): Promise<SavedReport[]> {
  const rows = await scope.db
    .select()
    .from(savedReports)
    .where(and(isNull(savedReports.deletedAt), or(eq(savedReports.ownerId, staff(scope).id), savedReports.isShared)))
    .orderBy(asc(sql`fold(${savedReports.name})`), asc(savedReports.id))
  return rows.map(told)
}

const told = ({ every, weekday, monthDay, time, recipientIds, ...row }: Row): SavedReport => ({
  ...row,
  schedule: every && time ? { every, weekday, monthDay, time, recipientIds } : null,
})

export async function saveReport(scope: Scope, report: NewSavedReport) {
  const { id: ownerId } = staff(scope)
  return scope.db.transaction(async (tx) => {
    if (await hasTooMany(tx, ownerId)) return refuse('TOO_MANY')
    const at = scope.now()
    const [row] = await tx
      .insert(savedReports)
      .values({ ...report, ask: await withKnownFilters(tx, report.ask), ownerId, createdAt: at, updatedAt: at })
      .returning()
    await changed(tx, scope, 'created', undefined, row)
    return told(row!)
  })
}

export const changeSaved = async (scope: Scope, id: string, change: Change) => {
  const asked = change.ask && { ask: await withKnownFilters(scope.db, change.ask) }
  return write(scope, id, () => ({ ...change, ...asked }))
}

/** Sends a saved report at the next time that the schedule names, and again from then on. */
export async function scheduleSaved(scope: Scope, id: string, schedule: NewSchedule) {
  const readers = await scope.db
    .select({ id: profiles.id, status: profiles.status, role: profiles.role })
    .from(profiles)
    .where(inArray(profiles.id, schedule.recipientIds))
  if (readers.filter(readsReports).length < schedule.recipientIds.length)
    return invalidReference({ recipientIds: 'Only staff who may read reports can get one' })
  return write(scope, id, () => ({ ...schedule, nextAt: nextDue(schedule, scope.now(), scope.env.PRACTICE_TIME_ZONE), stopped: null }))
}

export const unscheduleSaved = (scope: Scope, id: string) =>
  write(scope, id, () => ({ every: null, weekday: null, monthDay: null, time: null, recipientIds: [], nextAt: null, stopped: null }))

async function write(scope: Scope, id: string, changeOf: (row: Row) => Partial<Row> | Change) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id)
    if (before === null || isRefusal(before)) return before
    const [row] = await tx
      .update(savedReports)
      .set({ ...changeOf(before), updatedAt: scope.now() })
      .where(eq(savedReports.id, id))
      .returning()
    await changed(tx, scope, 'changed', before, row)
    return told(row!)
  })
}

/** How long a deleted report can be brought back. */
const keptFor = 24 * 3_600_000

/** Deletes a saved report, which is no longer sent. What its owner deleted longer ago is forgotten with it. */
export async function deleteSaved(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id)
    if (before === null || isRefusal(before)) return before
    const at = scope.now()
    await tx
      .delete(savedReports)
      .where(and(eq(savedReports.ownerId, before.ownerId), lt(savedReports.deletedAt, new Date(at.getTime() - keptFor))))
    await tx.update(savedReports).set({ deletedAt: at }).where(eq(savedReports.id, id))
    await changed(tx, scope, 'deleted', before, undefined)
    return true
  })
}

/** Brings a deleted report back as it was; what was due in the meantime is not sent later. */
export async function restoreSaved(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id, true)
    if (before === null || isRefusal(before)) return before
    if (await hasTooMany(tx, before.ownerId)) return refuse('TOO_MANY')
    const { every, weekday, monthDay, time, nextAt } = before
    const next = every && time && nextAt ? nextDue({ every, weekday, monthDay, time }, scope.now(), scope.env.PRACTICE_TIME_ZONE) : null
    const [row] = await tx.update(savedReports).set({ deletedAt: null, nextAt: next }).where(eq(savedReports.id, id)).returning()
    await changed(tx, scope, 'created', undefined, row)
    return told(row!)
  })
}

/** For a change, by who may. Someone else's own report is as if it were not there. */
async function lock(tx: Db, scope: Scope, id: string, isDeleted = false) {
  const [row] = await tx
    .select()
    .from(savedReports)
    .where(and(eq(savedReports.id, id), isDeleted ? isNotNull(savedReports.deletedAt) : isNull(savedReports.deletedAt)))
    .for('update')
  if (!row || !maySeeSaved(staff(scope), row)) return null
  return mayChangeSaved(staff(scope), row) ? row : refuse('NOT_YOURS')
}

/** Two tabs that save at once wait here for one another. */
async function hasTooMany(tx: Db, ownerId: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`saved-reports ${ownerId}`}, 0))`)
  const [row] = await tx
    .select({ kept: count() })
    .from(savedReports)
    .where(and(eq(savedReports.ownerId, ownerId), isNull(savedReports.deletedAt)))
  return row!.kept >= maxSaved
}

async function changed(tx: Db, scope: Scope, action: 'created' | 'changed' | 'deleted', before: Row | undefined, after: Row | undefined) {
  await recordChange(tx, scope, { action, kind: 'saved-report', contactIds: [], before, after })
  await notifyReportChange(tx, (after ?? before)!, before)
}

/** Of someone's own report no one else hears, not even its id. */
export async function notifyReportChange(tx: Db, report: Row, before: Row | undefined = report): Promise<void> {
  const isPrivate = !report.isShared && !before?.isShared
  await publish(tx, 'saved-report', report.id, isPrivate ? { accounts: [report.ownerId], roles: [] } : undefined)
}
