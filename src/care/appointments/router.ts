import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { bookAppointment } from './book.ts'
import { changeAppointment, setStatus } from './change.ts'
import { appointmentsContract } from './contract.ts'
import { findOpenings } from './openings.ts'
import * as read from './read.ts'

const os = implement(appointmentsContract).$context<Context>()

export const appointmentsRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listAppointments(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => {
    const appointments = await read.appointmentsOf(context, input.contactId)
    if (!appointments) throw errors.NOT_FOUND()
    return appointments
  }),
  get: os.get.handler(async ({ input, context, errors }) => {
    const appointment = await read.viewAppointment(context, input.id)
    if (!appointment) throw errors.NOT_FOUND()
    return appointment
  }),
  correspondence: os.correspondence.handler(async ({ input, context, errors }) => {
    const correspondence = await read.correspondenceOf(context, input.id)
    if (!correspondence) throw errors.NOT_FOUND()
    return correspondence
  }),
  openings: os.openings.handler(({ input, context }) => findOpenings(context, input)),
  book: os.book.handler(async ({ input, context, errors }) => {
    const result = await bookAppointment(context, input)
    if (result === 'key-reused') throw errors.KEY_REUSED()
    if (result === 'outside-hours') throw errors.OUTSIDE_HOURS()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
  change: os.change.handler(async ({ input, context, errors }) => {
    const result = await changeAppointment(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-holding') throw errors.NOT_HOLDING()
    if (result === 'outside-hours') throw errors.OUTSIDE_HOURS()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
  setStatus: os.setStatus.handler(async ({ input, context, errors }) => {
    const result = await setStatus(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-possible') throw errors.NOT_POSSIBLE()
    if (result === 'too-early') throw errors.TOO_EARLY()
    if ('conflict' in result) throw errors.CONFLICT({ data: { current: result.conflict } })
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('overlap' in result) throw errors.OVERLAP({ data: result.overlap })
    return result
  }),
})
