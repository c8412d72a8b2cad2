import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { bookAppointment } from './booking/book.ts'
import { bookSeries, findSeriesDates } from './booking/series.ts'
import { changeAppointment, setStatus } from './booking/change.ts'
import { appointmentsContract } from './contract.ts'
import { findOpenings } from './openings.ts'
import * as read from './read.ts'

const os = implement(appointmentsContract).$context<Context>()

export const appointmentsRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listAppointments(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await read.appointmentsOf(context, input.contactId), errors),
  ),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.viewAppointment(context, input.id), errors)),
  correspondence: os.correspondence.handler(async ({ input, context, errors }) =>
    unwrap(await read.correspondenceOf(context, input.id), errors),
  ),
  openings: os.openings.handler(async ({ input, context, errors }) => unwrap(await findOpenings(context, input), errors)),
  book: os.book.handler(async ({ input, context, errors }) => unwrap(await bookAppointment(context, input), errors)),
  seriesDates: os.seriesDates.handler(async ({ input, context, errors }) => unwrap(await findSeriesDates(context, input), errors)),
  bookSeries: os.bookSeries.handler(async ({ input, context, errors }) => unwrap(await bookSeries(context, input), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await changeAppointment(context, input), errors)),
  setStatus: os.setStatus.handler(async ({ input, context, errors }) => unwrap(await setStatus(context, input), errors)),
})
