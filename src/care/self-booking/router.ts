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
const mayLook = ({ attempts, origin }: Context) => attempts.consume('bookingPage', rateLimitKey(origin.address))
const mayAct = ({ attempts, origin }: Context) => attempts.consume('bookingStep', rateLimitKey(origin.address))

const mayHold = async (context: Context) =>
  (await mayAct(context)) && (await context.attempts.consume('bookingHold', rateLimitKey(context.origin.address)))

export const selfBookingRouter = os.router({
  offers: os.offers.handler(async ({ context, errors }) => unwrap((await mayLook(context)) ? await listOffers(context) : tooMany, errors)),
  openings: os.openings.handler(async ({ input, context, errors }) =>
    unwrap((await mayLook(context)) ? await listOpenings(context, input) : tooMany, errors),
  ),
  begin: os.begin.handler(async ({ input, context, errors }) => unwrap(await holds.begin(context, context.attempts, input), errors)),
  resend: os.resend.handler(async ({ input, context, errors }) => unwrap(await holds.resend(context, context.attempts, input.key), errors)),
  prove: os.prove.handler(async ({ input, context, errors }) =>
    unwrap((await mayAct(context)) ? await holds.prove(context, context.attempts, input) : tooMany, errors),
  ),
  hold: os.hold.handler(async ({ input, context, errors }) =>
    unwrap((await mayHold(context)) ? await holds.holdTime(context, input.key, input) : tooMany, errors),
  ),
  holdOffer: os.holdOffer.handler(async ({ input, context, errors }) =>
    unwrap((await mayHold(context)) ? await holdOffer(context, input.token) : tooMany, errors),
  ),
  pay: os.pay.handler(async ({ input, context, errors }) =>
    unwrap((await mayAct(context)) ? await payBooking(context, input) : tooMany, errors),
  ),
  confirm: os.confirm.handler(async ({ input, context, errors }) =>
    unwrap((await mayAct(context)) ? await confirmBooking(context, input.key) : tooMany, errors),
  ),
  wait: os.wait.handler(async ({ input, context, errors }) => {
    unwrap((await mayAct(context)) ? await joinWaitingList(context, input) : tooMany, errors)
  }),
  leave: os.leave.handler(async ({ input, context, errors }) => {
    unwrap((await mayAct(context)) ? await holds.leave(context, input.key) : tooMany, errors)
  }),
})
