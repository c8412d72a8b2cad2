import { oc } from '@orpc/contract'
import { z } from 'zod'
import { timeOfDay } from '../../shared/dates.ts'
import { requiredLine } from '../../shared/text-shapes.ts'
import { ask, chosen } from './request-contract.ts'
import { everies, latestMonthDay } from './schedule-rules.ts'

/** Maximum saved reports per person, and recipients per report. */
export const maxSaved = 100
const maxRecipients = 20

export const savedReportMessages = { name: 'Name is required', recipients: 'Choose recipients' } as const

const schedule = z.object({
  every: z.enum(everies),
  /** For 'week': 1 (Monday) to 7. */
  weekday: z.number().int().nullable(),
  /** For 'month': a day every month has. */
  monthDay: z.number().int().nullable(),
  /** HH:MM in the practice's time zone. */
  time: z.string(),
  recipientIds: z.array(z.uuid()),
})

const newSchedule = z.strictObject({
  every: z.enum(everies, 'Choose how often'),
  weekday: z.number('Choose a day').int().min(1, 'Choose a day').max(7, 'Choose a day').nullable().default(null),
  monthDay: z
    .number('Choose a day')
    .int()
    .min(1, 'Choose a day')
    .max(latestMonthDay, `Choose a day up to ${latestMonthDay}`)
    .nullable()
    .default(null),
  time: timeOfDay,
  recipientIds: z
    .array(z.uuid())
    .min(1, savedReportMessages.recipients)
    .max(maxRecipients, `Choose at most ${maxRecipients} people`)
    .refine((ids) => new Set(ids).size === ids.length, 'Each person can be listed only once'),
})
export type NewSchedule = z.output<typeof newSchedule>

const savedReport = z.object({
  id: z.uuid(),
  name: z.string(),
  ask: chosen,
  /** Whether everyone with access to reports can open it, or only its owner. */
  isShared: z.boolean(),
  ownerId: z.uuid(),
  schedule: schedule.nullable(),
  /** When it is sent next, and was last sent. */
  nextAt: z.date().nullable(),
  lastAt: z.date().nullable(),
  /** Why sending stopped although it has a schedule. */
  stopped: z.enum(['owner', 'recipients']).nullable(),
})
export type SavedReport = z.output<typeof savedReport>

const fields = z.strictObject({ name: requiredLine(60, savedReportMessages.name), ask, isShared: z.boolean('Must be true or false') })
export type NewSavedReport = z.output<typeof fields>

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Reports']
const notFound = { NOT_FOUND: { status: 404, message: 'This report does not exist' } } as const
const notYours = { ...notFound, NOT_YOURS: { status: 403, message: 'Only the person who saved this report can change it' } } as const
const tooMany = { TOO_MANY: { status: 409, message: `You already have ${maxSaved} saved reports. Delete one first.` } } as const

export const savedReportsContract = {
  saved: oc
    .route({ method: 'GET', path: '/saved-reports', tags, summary: "The caller's saved reports and shared reports, by name" })
    .output(z.array(savedReport)),
  save: oc
    .route({ method: 'POST', path: '/saved-reports', tags, summary: 'Save a report with its period and filters' })
    .input(fields)
    .errors(tooMany)
    .output(savedReport),
  change: oc
    .route({ method: 'PATCH', path: '/saved-reports/{id}', tags, summary: 'Rename, change or share a saved report' })
    .input(fields.partial().extend({ id: z.uuid() }))
    .errors(notYours)
    .output(savedReport),
  delete: oc
    .route({ method: 'DELETE', path: '/saved-reports/{id}', tags, summary: 'Delete a saved report; it can be restored for a day' })
    .input(byId)
    .errors(notYours),
  restore: oc
    .route({ method: 'POST', path: '/saved-reports/{id}/restore', tags, summary: 'Restore a deleted report with its schedule' })
    .input(byId)
    .errors({ ...notYours, ...tooMany })
    .output(savedReport),
  schedule: oc
    .route({ method: 'PUT', path: '/saved-reports/{id}/schedule', tags, summary: 'Schedule a saved report by email' })
    .input(
      newSchedule
        .extend({ id: z.uuid() })
        .refine(({ every, weekday }) => (every === 'week') === (weekday !== null), {
          path: ['weekday'],
          message: 'Choose a day of the week',
        })
        .refine(({ every, monthDay }) => (every === 'month') === (monthDay !== null), {
          path: ['monthDay'],
          message: 'Choose a day of the month',
        }),
    )
    .errors({
      ...notYours,
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(savedReport),
  unschedule: oc
    .route({ method: 'DELETE', path: '/saved-reports/{id}/schedule', tags, summary: 'Stop sending a saved report' })
    .input(byId)
    .errors(notYours)
    .output(savedReport),
}
