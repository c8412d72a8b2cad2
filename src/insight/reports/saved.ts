import { and, asc, count, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { withKnownFilters } from './resolve-filters.ts'
import type { ReportName } from './name-rules.ts'
import { mayChangeSaved, mayReadReport, maySeeSaved } from './policy.ts'
import { maxSaved, type NewSavedReport, type NewSchedule, type SavedReport } from './saved-contract.ts'
import { nextDue } from './schedule-rules.ts'
import { savedReports } from './table.ts'

type Row = typeof savedReports.$inferSelect
/** Omitted fields are unchanged. */
type Change = { [Key in keyof NewSavedReport]?: NewSavedReport[Key] | undefined }

/** Eligible recipients: active accounts that may read this report. */
export const canReadReport = ({ status, role }: { status: string; role: Role }, report: ReportName): boolean =>
  status === 'active' && mayReadReport({ role }, report)

/** The caller's saved reports and shared reports that they may read, by name. */
export async function listSaved(scope: Scope): Promise<SavedReport[]> {
  const rows = await scope.db
    .select()
    .from(savedReports)
    .where(and(isNull(savedReports.deletedAt), or(eq(savedReports.ownerId, staff(scope).id), savedReports.isShared)))
    .orderBy(asc(sql`fold(${savedReports.name})`), asc(savedReports.id))
  return rows.filter(({ ask }) => mayReadReport(staff(scope), ask.report)).map(toSavedReport)
}

const toSavedReport = ({ every, weekday, monthDay, time, recipientIds, ...row }: Row): SavedReport => ({
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
    return toSavedReport(row!)
  })
}

export const changeSaved = async (scope: Scope, id: string, change: Change) => {
  const asked = change.ask && { ask: await withKnownFilters(scope.db, change.ask) }
  return write(scope, id, () => ({ ...change, ...asked }))
}

/** Schedules a saved report, starting at the next matching time. */
export async function scheduleSaved(scope: Scope, id: string, schedule: NewSchedule) {
  const readers = await scope.db
    .select({ id: profiles.id, status: profiles.status, role: profiles.role })
    .from(profiles)
    .where(inArray(profiles.id, schedule.recipientIds))
  const [saved] = await scope.db.select({ ask: savedReports.ask }).from(savedReports).where(eq(savedReports.id, id))
  if (saved && readers.filter((person) => canReadReport(person, saved.ask.report)).length < schedule.recipientIds.length)
    return invalidReference({ recipientIds: 'Only staff with access to reports can receive one' })
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
    return toSavedReport(row!)
  })
}

/** How long a deleted report can be restored. */
const keptFor = 24 * 3_600_000

/** Deletes a saved report and stops sending it. Also purges the owner's reports deleted longer ago. */
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

/** Restores a deleted report; missed sendings are not made up. */
export async function restoreSaved(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id, true)
    if (before === null || isRefusal(before)) return before
    if (await hasTooMany(tx, before.ownerId)) return refuse('TOO_MANY')
    const { every, weekday, monthDay, time, nextAt } = before
    const next = every && time && nextAt ? nextDue({ every, weekday, monthDay, time }, scope.now(), scope.env.PRACTICE_TIME_ZONE) : null
    const [row] = await tx.update(savedReports).set({ deletedAt: null, nextAt: next }).where(eq(savedReports.id, id)).returning()
    await changed(tx, scope, 'created', undefined, row)
    return toSavedReport(row!)
  })
}

/** Loads a report for a change by the actor. Someone else's private report counts as not found. */
async function lock(tx: Db, scope: Scope, id: string, isDeleted = false) {
  const [row] = await tx
    .select()
    .from(savedReports)
    .where(and(eq(savedReports.id, id), isDeleted ? isNotNull(savedReports.deletedAt) : isNull(savedReports.deletedAt)))
    .for('update')
  if (!row || !maySeeSaved(staff(scope), row)) return null
  return mayChangeSaved(staff(scope), row) ? row : refuse('NOT_YOURS')
}

/** Serializes simultaneous saves from two tabs. */
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

/** Changes to a private report are published only to its owner, including its id. */
export async function notifyReportChange(tx: Db, report: Row, before: Row | undefined = report): Promise<void> {
  const isPrivate = !report.isShared && !before?.isShared
  await publish(tx, 'saved-report', report.id, isPrivate ? { accounts: [report.ownerId], roles: [] } : undefined)
}
