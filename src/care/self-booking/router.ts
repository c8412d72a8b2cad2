import { implement } from '@orpc/server'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { refuse, unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { confirmBooking } from './confirm.ts'
import { selfBookingContract } from './contract.ts'
import { payBooking } from './deposit.ts'
import * as holds from './holds.ts'
import { holdOffer } from './offered-time.ts'
import { listOffers, listOpenings } from './offers.ts'
import { joinWaitingList } from './wait.ts'

const os = implement(selfBookingContract).$context<Context>()
const tooMany = refuse('TOO_MANY_REQUESTS')
/** For each step. Those that cost something have limits of their own (holds.ts). */
const mayCall = ({ attempts, origin }: Context) => attempts.consume('bookingPage', rateLimitKey(origin.address))

export const selfBookingRouter = os.router({
  offers: os.offers.handler(async ({ context, errors }) => unwrap((await mayCall(context)) ? await listOffers(context) : tooMany, errors)),
  openings: os.openings.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await listOpenings(context, input) : tooMany, errors),
  ),
  begin: os.begin.handler(async ({ input, context, errors }) => unwrap(await holds.begin(context, context.attempts, input), errors)),
  resend: os.resend.handler(async ({ input, context, errors }) => unwrap(await holds.resend(context, context.attempts, input.key), errors)),
  prove: os.prove.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await holds.prove(context, context.attempts, input) : tooMany, errors),
  ),
  hold: os.hold.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await holds.changeTime(context, context.attempts, input.key, input) : tooMany, errors),
  ),
  holdOffer: os.holdOffer.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await holdOffer(context, context.attempts, input.token) : tooMany, errors),
  ),
  pay: os.pay.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await payBooking(context, context.attempts, input) : tooMany, errors),
  ),
  confirm: os.confirm.handler(async ({ input, context, errors }) =>
    unwrap((await mayCall(context)) ? await confirmBooking(context, input.key, context.attempts) : tooMany, errors),
  ),
  wait: os.wait.handler(async ({ input, context, errors }) => {
    unwrap((await mayCall(context)) ? await joinWaitingList(context, input) : tooMany, errors)
  }),
  free: os.free.handler(async ({ input, context, errors }) => {
    unwrap((await mayCall(context)) ? await holds.freeTime(context, input.key) : tooMany, errors)
  }),
  leave: os.leave.handler(async ({ input, context, errors }) => {
    unwrap((await mayCall(context)) ? await holds.leave(context, input.key) : tooMany, errors)
  }),
})
