import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { Env } from '../../kernel/env.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import type { Due } from './rules.ts'

/** The email task_assigned (spec 7). It does not name the patient, because it leaves the clinic. */
export const assignmentEmail = (env: Env, to: { email: string; name: string }, task: Due & { id: string; title: string }): Mail =>
  linkMail(to.email, {
    subject: `Task assigned to you: ${task.title}`,
    paragraphs: [
      `Hello ${to.name},`,
      `You have been assigned a task: ${task.title}.`,
      `It is due on ${format(parseISO(task.dueDate), 'EEEE, MMMM d, yyyy')}${task.dueTimeConstraint === null ? '' : ` at ${task.dueTimeConstraint}`}.`,
    ],
    link: { label: 'Open task', url: `${env.APP_URL}/tasks?task=${task.id}` },
    closing: 'You get these emails because you turned them on. You can turn them off in Refyne, under the bell.',
  })
