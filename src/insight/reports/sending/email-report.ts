import { and, eq, isNull } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import type { Actor } from '../../../kernel/access/rules.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { queueMail } from '../../../platform/mail/service.ts'
import { filtersOf } from '../export.ts'
import { reportMail } from './emails.ts'
import { canReadReport } from '../saved.ts'
import type { Sending } from './send.ts'
import { runReport } from '../service.ts'
import { reportSendings, savedReports } from '../table.ts'

/**
 * Reads a report with its recipient's permissions and queues its email, once per due time regardless of restarts. A recipient who has lost
 * access gets none.
 */
export async function sendTo(scope: Scope, { id, recipientId, dueAt }: Sending): Promise<void> {
  const [report] = await scope.db
    .select()
    .from(savedReports)
    .where(and(eq(savedReports.id, id), isNull(savedReports.deletedAt)))
  const [person] = await scope.db.select().from(profiles).where(eq(profiles.id, recipientId))
  if (!report || !person || !canReadReport(person, report.ask.report)) return
  const which = and(
    eq(reportSendings.savedReportId, id),
    eq(reportSendings.recipientId, recipientId),
    eq(reportSendings.dueAt, new Date(dueAt)),
  )
  const sent = await scope.db.select({ dueAt: reportSendings.dueAt }).from(reportSendings).where(which)
  if (sent.length > 0) return
  const actor: Actor = { id: person.id, sessionId: '', role: person.role, status: person.status, name: person.name, email: person.email }
  const answer = await runReport({ ...scope, actor }, report.ask)
  const filters = await filtersOf(scope.db, report.ask)
  await scope.db.transaction(async (tx) => {
    const [first] = await tx
      .insert(reportSendings)
      .values({ savedReportId: id, recipientId, dueAt: new Date(dueAt), queuedAt: scope.now() })
      .onConflictDoNothing()
      .returning()
    if (first) await queueMail(tx, reportMail(scope.env, person, report, answer, filters))
  })
}
