import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { publish } from '../../kernel/events/events.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { isOpenReport } from './read.ts'
import { reportTask } from './record.ts'
import { warnOn } from './rules.ts'
import { adverseEvents } from './table.ts'

/**
 * Warns every administrator of reports that are due by the next business day and not filed: a task that is due now, of which they are notified
 * at once. Each deadline is warned of once, because the warning is stored with its tasks.
 */
export const warnOfReports = defineJob({
  name: 'adverse-events.warn-of-reports',
  payload: z.object({}),
  cron: '*/15 * * * *',
  async run(scope) {
    const open = await scope.db
      .select({ id: adverseEvents.id, dueOn: adverseEvents.dueOn })
      .from(adverseEvents)
      .where(and(isOpenReport, isNull(adverseEvents.warnedAt)))
    const { day: today } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    for (const { id, dueOn } of open) if (today >= warnOn(dueOn!)) await warn(scope, id)
  },
})

const warn = (scope: Scope, id: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [event] = await tx
      .select()
      .from(adverseEvents)
      .where(and(eq(adverseEvents.id, id), isOpenReport, isNull(adverseEvents.warnedAt)))
      .for('no key update')
    const { day, time } = toLocal(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    if (!event || day < warnOn(event.dueOn!)) return
    const admins = await tx
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    const taskIds = [...event.taskIds]
    for (const admin of admins)
      taskIds.push(await addTask(tx, scope, { ...reportTask(event.dueOn!, day), dueTimeConstraint: time, people: [admin.id] }))
    await tx.update(adverseEvents).set({ warnedAt: scope.now(), taskIds }).where(eq(adverseEvents.id, id))
    await publish(tx, 'adverse-event', id)
  })
