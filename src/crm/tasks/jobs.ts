import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { profiles } from '../../platform/auth/table.ts'
import { queueMail } from '../../platform/mail/service.ts'
import { wantsMail } from '../notifications/service.ts'
import { assignedMail } from './mails.ts'
import { isOpen } from './rules.ts'
import { taskAssignees, tasks } from './table.ts'

/** Spec 7: tells one assignee by email that a task is theirs, if they want to be told and it still is. */
export const notifyAssignee = defineJob({
  name: 'tasks.tell-assignee',
  payload: z.object({ taskId: z.uuid(), assigneeId: z.uuid() }),
  async run({ db, env }, { taskId, assigneeId }) {
    if (!(await wantsMail(db, assigneeId, 'task_assigned'))) return
    const [found] = await db
      .select({ task: tasks, person: profiles })
      .from(taskAssignees)
      .innerJoin(tasks, eq(tasks.id, taskAssignees.taskId))
      .innerJoin(profiles, eq(profiles.id, taskAssignees.profileId))
      .where(and(eq(taskAssignees.taskId, taskId), eq(taskAssignees.profileId, assigneeId)))
    if (!found || !isOpen(found.task.status) || found.person.status !== 'active') return
    await queueMail(db, assignedMail(env, found.person, found.task))
  },
})
