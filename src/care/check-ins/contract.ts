import { oc } from '@orpc/contract'
import { z } from 'zod'
import { idInput, invalidFields } from '../reservations/contract.ts'
import { checkInLimits, checkInStates } from './rules.ts'

export const checkInMessages = {
  day: `Enter days from 1 to ${checkInLimits.day}`,
  days: `Enter between 1 and ${checkInLimits.days} days`,
  twice: 'A day is listed twice',
  template: 'Choose a form',
  noTemplate: 'This form is not published, or no longer active',
} as const

const schedule = z.object({
  procedureId: z.uuid(),
  /** The form that is sent. */
  templateId: z.uuid(),
  /** Days after the surgery, in order. */
  days: z.array(z.number().int()),
  version: z.number().int(),
})
export type Schedule = z.output<typeof schedule>

const checkIn = z.object({
  /** Days after the surgery. */
  day: z.number().int(),
  dueOn: z.string(),
  state: z.enum(checkInStates),
  formId: z.uuid().nullable(),
  sentAt: z.date().nullable(),
  answeredAt: z.date().nullable(),
  remindedAt: z.date().nullable(),
  /** When someone was given the task to call. */
  escalatedAt: z.date().nullable(),
  /** Why the email could not be sent. */
  emailProblem: z.string().nullable(),
  /** Null for those who do not see answers. */
  redFlagCount: z.number().int().nullable(),
})
export type CheckIn = z.output<typeof checkIn>

const noProcedure = { NOT_FOUND: { status: 404, message: 'Procedure not found' } } as const
const conflict = { CHANGED_MEANWHILE: { status: 409, message: 'Someone has changed this schedule in the meantime' } } as const
const version = z.number('The version is missing').int().min(0)
const tags = ['Check-ins']

export const checkInsContract = {
  ofSurgery: oc
    .route({
      method: 'GET',
      path: '/surgeries/{id}/check-ins',
      tags,
      summary: 'List the check-ins after a surgery: planned, sent and answered',
    })
    .input(idInput)
    .errors({ NOT_FOUND: { status: 404, message: 'This surgery does not exist' } })
    .output(z.array(checkIn)),
  schedules: oc
    .route({ method: 'GET', path: '/check-in-schedules', tags, summary: 'List which procedures are followed up with which form, and when' })
    .output(z.array(schedule)),
  setSchedule: oc
    .route({
      method: 'PUT',
      path: '/procedures/{id}/check-in-schedule',
      tags,
      summary: 'Set when patients are asked how they are after a procedure',
    })
    .input(
      idInput.extend({
        templateId: z.uuid(checkInMessages.template),
        days: z
          .array(
            z.number(checkInMessages.day).int(checkInMessages.day).min(1, checkInMessages.day).max(checkInLimits.day, checkInMessages.day),
          )
          .min(1, checkInMessages.days)
          .max(checkInLimits.days, checkInMessages.days)
          .refine((days) => new Set(days).size === days.length, checkInMessages.twice),
        /** 0 for a new one. */
        version,
      }),
    )
    .errors({ ...noProcedure, ...invalidFields, ...conflict })
    .output(schedule),
  removeSchedule: oc
    .route({
      method: 'DELETE',
      path: '/procedures/{id}/check-in-schedule',
      tags,
      summary: 'Stop asking after a procedure; what was sent stays open',
    })
    .input(idInput.extend({ version }))
    .errors({ ...noProcedure, ...conflict }),
}
