import { implement } from '@orpc/server'
import type { Context } from '../context.ts'
import { staff } from '../../kernel/scope.ts'
import { accountContract } from './account-contract.ts'
import { recordRefusal } from './entries.ts'
import { isBusyHashing } from './passwords.ts'
import { updateMyName } from './people.ts'
import { notifyEnded } from './requests.ts'
import * as life from './session-life.ts'
import * as twoFactor from './two-factor.ts'

const os = implement(accountContract).$context<Context>()

/** Counts a try to prove oneself; false when there were too many. Taken back by `forgive` once it was right. */
const mayTry = async (context: Context) => !isBusyHashing() && (await context.attempts.consume('proof', staff(context).id))
async function refused(context: Context, error: Error): Promise<Error> {
  await recordRefusal(context, staff(context), 'proof')
  return error
}
const forgive = (context: Context) => context.attempts.forgive('proof', staff(context).id)

export const accountRouter = os.router({
  updateProfile: os.updateProfile.handler(async ({ input, context }) => {
    const user = await updateMyName(context, input)
    context.events.notifyHere({ topic: 'people', id: user.id })
    return user
  }),

  sessions: os.sessions.handler(({ context }) => life.mySessions(context)),

  endSession: os.endSession.handler(async ({ input, context, errors }) => {
    const ended = await life.endMySession(context, input.id)
    if (ended.length === 0) throw errors.NOT_FOUND()
    notifyEnded(context, ended)
  }),

  endOtherSessions: os.endOtherSessions.handler(async ({ context }) => notifyEnded(context, await life.endMyOtherSessions(context))),

  twoFactor: os.twoFactor.handler(({ context }) => twoFactor.twoFactorOf(context)),

  beginTwoFactor: os.beginTwoFactor.handler(async ({ input, context, errors }) => {
    if (!(await mayTry(context))) throw errors.TOO_MANY_REQUESTS()
    const result = await twoFactor.beginTwoFactor(context, input.password)
    if (result === 'already-on') throw errors.ALREADY_ON()
    if (result === 'wrong-password') throw await refused(context, errors.INVALID_CREDENTIALS())
    await forgive(context)
    return result
  }),

  confirmTwoFactor: os.confirmTwoFactor.handler(async ({ input, context, errors }) => {
    if (!(await mayTry(context))) throw errors.TOO_MANY_REQUESTS()
    const result = await twoFactor.confirmTwoFactor(context, input.code)
    if (result === 'already-on') throw errors.ALREADY_ON()
    if (result === 'not-begun') throw errors.NOT_ON()
    if (result === 'wrong') throw await refused(context, errors.INVALID_CODE())
    await forgive(context)
    notifyEnded(context, result.ended)
    return { recoveryCodes: result.recoveryCodes }
  }),

  renewRecoveryCodes: os.renewRecoveryCodes.handler(async ({ input, context, errors }) => {
    if (!(await mayTry(context))) throw errors.TOO_MANY_REQUESTS()
    const result = await twoFactor.renewRecoveryCodes(context, input.password)
    if (result === 'not-on') throw errors.NOT_ON()
    if (result === 'wrong-password') throw await refused(context, errors.INVALID_CREDENTIALS())
    await forgive(context)
    return { recoveryCodes: result }
  }),

  turnOffTwoFactor: os.turnOffTwoFactor.handler(async ({ input, context, errors }) => {
    if (!(await mayTry(context))) throw errors.TOO_MANY_REQUESTS()
    const result = await twoFactor.turnOffTwoFactor(context, input.password)
    if (result === 'not-on') throw errors.NOT_ON()
    if (result === 'wrong-password') throw await refused(context, errors.INVALID_CREDENTIALS())
    await forgive(context)
  }),
})
