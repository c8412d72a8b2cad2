import { z } from 'zod'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { sendTo } from './sending/email-report.ts'
import { sendDue } from './sending/send.ts'

/** Emails one report to one recipient. */
export const mailReport = defineJob({
  name: 'reports.mail',
  payload: z.object({ id: z.uuid(), recipientId: z.uuid(), dueAt: z.iso.datetime() }),
  run: (scope, which) => sendTo(scope, which),
})

/** Checks each minute, in every process, for saved reports that are due. */
export const sendReports = defineJob({
  name: 'reports.send-due',
  payload: z.object({}),
  cron: '* * * * *',
  run: (scope) => sendDue(scope, (tx, which) => enqueue(tx, mailReport, which)),
})
