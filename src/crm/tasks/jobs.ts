import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { profiles } from '../../platform/auth/table.ts'
import { queueMail } from '../../platform/mail/service.ts'
import { wantsEmail } from '../notifications/service.ts'
import { assignmentEmail } from './emails.ts'
import { isOpen } from './rules.ts'
import { taskAssignees, tasks } from './table.ts'

/** Emails an assignee about a task, if they have opted in and are still assigned (spec 7). */
export const notifyAssignee = defineJob({
  name: 'tasks.notify-assignee',
  payload: z.object({ taskId: z.uuid(), assigneeId: z.uuid() }),
  async run({ db, env }, { taskId, assigneeId }) {
    if (!(await wantsEmail(db, assigneeId, 'task_assigned'))) return
    const [found] = await db
      .select({ task: tasks, person: profiles })
      .from(taskAssignees)
      .innerJoin(tasks, eq(tasks.id, taskAssignees.taskId))
      .innerJoin(profiles, eq(profiles.id, taskAssignees.profileId))
      .where(and(eq(taskAssignees.taskId, taskId), eq(taskAssignees.profileId, assigneeId)))
    if (!found || !isOpen(found.task.status) || found.person.status !== 'active') return
    await queueMail(db, assignmentEmail(env, found.person, found.task))
  },
})
