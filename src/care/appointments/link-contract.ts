import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { idempotencyKeyShape, optionalText } from '../../shared/text-shapes.ts'
import { dayParts, linkMessages, linkStates } from './link-rules.ts'

/** All that a link shows: no one can tell who reads it. */
const linked = z.object({
  state: z.enum(linkStates),
  firstName: z.string(),
  /** Of one that was cancelled, when it would have been; else when it is now. */
  startsAt: z.date(),
  provider: z.string().nullable(),
  place: z.string(),
  /** When the patient asked for another time than this, if they did. */
  askedAt: z.date().nullable(),
  /** The days of the week on which the practice is open, 1 (Monday) to 7; all where it has said none. */
  openDays: z.array(z.number().int()),
})
export type LinkedAppointment = z.output<typeof linked>

const byToken = z.strictObject({ token: z.string().max(200, 'This is no token').refine(isStorable, notStorable) })
const tags = ['Appointment links']
const refusals = {
  NOT_FOUND: { status: 404, message: linkMessages.notFound },
  TOO_MANY_REQUESTS: { status: 429, message: linkMessages.tooMany },
} as const
const unlessChanged = { ...refusals, NOT_POSSIBLE: { status: 409, message: linkMessages.notPossible } } as const

/** What the link of a mail can do. The token proves itself. */
export const appointmentLinksContract = {
  view: oc
    .route({ method: 'GET', path: '/appointment-links/{token}', tags, summary: 'The appointment that an email is about; nothing changes' })
    .input(byToken)
    .errors(refusals)
    .output(linked),
  confirm: oc
    .route({ method: 'POST', path: '/appointment-links/{token}/confirmation', tags, summary: 'The patient will come; twice does no harm' })
    .input(byToken)
    .errors(unlessChanged)
    .output(linked),
  askForAnother: oc
    .route({
      method: 'POST',
      path: '/appointment-links/{token}/requests',
      tags,
      summary: 'The patient asks for another time; they keep the one they have',
    })
    .input(
      byToken.extend({
        /** Made by the page: the same key asks once. */
        key: idempotencyKeyShape,
        /** 1 (Monday) to 7. */
        weekdays: z
          .array(z.number('Choose days').int().min(1, 'Choose days').max(7, 'Choose days'))
          .max(7, 'A week has seven days')
          .default([]),
        dayParts: z.array(z.enum(dayParts, 'Choose times')).max(dayParts.length, 'Choose times').default([]),
        words: optionalText(1_000).default(null),
      }),
    )
    .errors(unlessChanged)
    .output(linked),
}
