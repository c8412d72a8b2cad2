import { z } from 'zod'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { sendTo } from './sending/mail-report.ts'
import { sendDue } from './sending/send.ts'

/** Mails one report to one recipient. */
export const mailReport = defineJob({
  name: 'reports.mail',
  payload: z.object({ id: z.uuid(), recipientId: z.uuid(), dueAt: z.iso.datetime() }),
  run: (scope, which) => sendTo(scope, which),
})

/** Looks each minute, in every process, for saved reports whose time has come. */
export const sendReports = defineJob({
  name: 'reports.send-due',
  payload: z.object({}),
  cron: '* * * * *',
  run: (scope) => sendDue(scope, (tx, which) => enqueue(tx, mailReport, which)),
})
