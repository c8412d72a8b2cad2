import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'
import { accountContract } from './account-contract.ts'
import { updateMyName } from './people/people.ts'
import { notifyEnded, withProof } from './requests.ts'
import * as life from './sessions/session-expiry.ts'
import * as passkeys from './account/passkeys.ts'
import * as twoFactor from './account/two-factor.ts'

const os = implement(accountContract).$context<Context>()

export const accountRouter = os.router({
  updateProfile: os.updateProfile.handler(async ({ input, context }) => {
    const user = await updateMyName(context, input)
    context.events.notifyLocal({ topic: 'people', id: user.id })
    return user
  }),

  sessions: os.sessions.handler(({ context }) => life.mySessions(context)),

  endSession: os.endSession.handler(async ({ input, context, errors }) =>
    notifyEnded(context, unwrap(await life.endMySession(context, input.id), errors)),
  ),

  endOtherSessions: os.endOtherSessions.handler(async ({ context }) => notifyEnded(context, await life.endMyOtherSessions(context))),

  twoFactor: os.twoFactor.handler(({ context }) => twoFactor.twoFactorOf(context)),

  passkeys: os.passkeys.handler(({ context }) => passkeys.myPasskeys(context)),
  beginPasskey: os.beginPasskey.handler(async ({ context, errors }) => ({ ...unwrap(await passkeys.beginPasskey(context), errors) })),
  addPasskey: os.addPasskey.handler(async ({ input, context, errors }) => unwrap(await passkeys.addPasskey(context, input), errors)),
  removePasskey: os.removePasskey.handler(
    async ({ input, context, errors }) => void unwrap(await passkeys.removePasskey(context, input.id), errors),
  ),

  beginTwoFactor: os.beginTwoFactor.handler(async ({ input, context, errors }) =>
    unwrap(await withProof(context, () => twoFactor.beginTwoFactor(context, input.password)), errors),
  ),

  confirmTwoFactor: os.confirmTwoFactor.handler(async ({ input, context, errors }) => {
    const { recoveryCodes, ended } = unwrap(await withProof(context, () => twoFactor.confirmTwoFactor(context, input.code)), errors)
    notifyEnded(context, ended)
    return { recoveryCodes }
  }),

  renewRecoveryCodes: os.renewRecoveryCodes.handler(async ({ input, context, errors }) =>
    unwrap(await withProof(context, () => twoFactor.renewRecoveryCodes(context, input.password)), errors),
  ),

  turnOffTwoFactor: os.turnOffTwoFactor.handler(
    async ({ input, context, errors }) =>
      void unwrap(await withProof(context, () => twoFactor.turnOffTwoFactor(context, input.password)), errors),
  ),
})
