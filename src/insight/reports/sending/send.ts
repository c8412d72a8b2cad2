import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { canReadReport, notifyReportChange } from '../saved.ts'
import { nextDue } from '../schedule-rules.ts'
import { savedReports } from '../table.ts'

/** A report to one recipient for one due time. */
export type Sending = { id: string; recipientId: string; dueAt: string }

/** Maximum per run; the next run takes the rest. */
const maxParallel = 100

/**
 * Queues due reports, each once however many processes run, and schedules their next time. Times missed during downtime are sent once. A
 * report stops when its owner, or every recipient, has lost access to reports.
 */
export async function sendDue(scope: Scope, queue: (tx: Db, which: Sending) => Promise<void>): Promise<void> {
  const now = scope.now()
  await scope.db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(savedReports)
      .where(and(lte(savedReports.nextAt, now), isNull(savedReports.deletedAt)))
      .orderBy(asc(savedReports.nextAt))
      .limit(maxParallel)
      .for('update', { skipLocked: true })
    for (const report of due) {
      const { id, ownerId, recipientIds, every, weekday, monthDay, time, nextAt } = report
      const people = await tx
        .select({ id: profiles.id, status: profiles.status, role: profiles.role })
        .from(profiles)
        .where(inArray(profiles.id, [ownerId, ...recipientIds]))
      const readers = new Set(people.filter((person) => canReadReport(person, report.ask.report)).map((person) => person.id))
      const recipients = recipientIds.filter((recipient) => readers.has(recipient))
      const stopped = !readers.has(ownerId) ? 'owner' : recipients.length === 0 ? 'recipients' : null
      const next = stopped || !every || !time ? null : nextDue({ every, weekday, monthDay, time }, now, scope.env.PRACTICE_TIME_ZONE)
      const [after] = await tx
        .update(savedReports)
        .set({ nextAt: next, stopped, ...(stopped ? {} : { lastAt: now }) })
        .where(eq(savedReports.id, id))
        .returning()
      await notifyReportChange(tx, after!)
      if (stopped) continue
      for (const recipientId of recipients) await queue(tx, { id, recipientId, dueAt: nextAt!.toISOString() })
    }
  })
}
