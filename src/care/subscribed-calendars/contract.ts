import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'
import { idInput, invalidFields } from '../reservations/contract.ts'
import { calendarProblems, withHttps } from './rules.ts'

export const calendarMessages = {
  name: 'Name the calendar',
  url: 'Enter the address of the calendar',
  owner: 'Choose a person or a room',
  noPerson: 'This person is not active',
  noRoom: 'This room is no longer in use',
} as const

const calendar = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Whose openings it blocks: a person's or a room's. */
  profileId: z.uuid().nullable(),
  roomId: z.uuid().nullable(),
  /** Of its address, which is not shown again as a whole: it opens the calendar. Or the address of a mailbox. */
  host: z.string(),
  /** When it was last read; null: not yet. */
  readAt: z.date().nullable(),
  /** Why it could not be read since; what was read before still blocks openings. */
  problem: z.enum(calendarProblems).nullable(),
  /** Busy times from now on. */
  busyTimes: z.number().int(),
})
export type SubscribedCalendar = z.output<typeof calendar>

const noCalendar = { NOT_FOUND: { status: 404, message: 'This calendar does not exist' } } as const
const tooMany = { TOO_MANY: { status: 409, message: 'There are too many calendars. Remove some first.' } } as const
const tags = ['Subscribed calendars']

const ownCalendar = z.object({
  /** The mailbox whose calendar can be read; null: none is connected, or only its emails can be read. */
  email: z.string().nullable(),
  /** Whether its events block openings. */
  isOn: z.boolean(),
})
export type OwnCalendar = z.output<typeof ownCalendar>

export const subscribedCalendarsContract = {
  list: oc
    .route({ method: 'GET', path: '/subscribed-calendars', tags, summary: 'List the calendars elsewhere whose events block openings' })
    .output(z.array(calendar)),
  add: oc
    .route({
      method: 'POST',
      path: '/subscribed-calendars',
      tags,
      summary: 'Subscribe to a calendar of a person or a room by its address (ICS)',
    })
    .input(
      z.strictObject({
        name: requiredLine(100, calendarMessages.name),
        url: z
          .string(calendarMessages.url)
          .max(2_000, 'Use at most 2,000 characters')
          .transform(withHttps)
          .pipe(z.string().min(1, calendarMessages.url)),
        /** Whose openings it blocks. */
        ownerKind: z.enum(['person', 'room'], calendarMessages.owner),
        ownerId: z.uuid(calendarMessages.owner),
      }),
    )
    .errors({ ...invalidFields, ...tooMany })
    .output(calendar),
  remove: oc
    .route({
      method: 'DELETE',
      path: '/subscribed-calendars/{id}',
      tags,
      summary: 'Remove a calendar; its events no longer block openings',
    })
    .input(idInput)
    .errors(noCalendar),
  own: oc
    .route({
      method: 'GET',
      path: '/subscribed-calendars/own',
      tags,
      summary: 'Say whether the calendar of your connected mailbox blocks your openings',
    })
    .output(ownCalendar),
  setOwn: oc
    .route({
      method: 'PUT',
      path: '/subscribed-calendars/own',
      tags,
      summary: 'Let the calendar of your connected mailbox block your openings, or no longer',
    })
    .input(z.strictObject({ isOn: z.boolean('Say whether it blocks your openings') }))
    .errors({
      ...tooMany,
      NOT_CONNECTED: { status: 409, message: 'Connect a mailbox whose calendar can be read first' },
    })
    .output(ownCalendar),
  read: oc
    .route({
      method: 'POST',
      path: '/subscribed-calendars/{id}/readings',
      tags,
      summary: 'Read a calendar now; otherwise every 15 minutes',
    })
    .input(idInput)
    .errors(noCalendar)
    .output(calendar),
}
