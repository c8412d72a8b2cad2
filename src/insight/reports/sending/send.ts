import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { readsReports, notifyReportChange } from '../saved.ts'
import { nextDue } from '../schedule-rules.ts'
import { savedReports } from '../table.ts'

/** A report to one recipient, for one moment at which it was due. */
export type Sending = { id: string; recipientId: string; dueAt: string }

/** Of one look; what is left is found by the next one. */
const maxParallel = 100

/**
 * Queues the saved reports whose time has come, each once however many processes look, and says when they are due next. What was due several
 * times while no process ran is sent once. One whose owner, or all of whose recipients, may not read reports any more is stopped.
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
      const readers = new Set(people.filter(readsReports).map((person) => person.id))
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
