import { implement, ORPCError } from '@orpc/server'
import { APIError } from 'better-auth'
import type { Context } from '../context.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { staff } from '../../kernel/scope.ts'
import { frontEndToken } from './front-end-token.ts'
import { authContract } from './contract.ts'
import { recordNewPassword, recordRefusal, recordSignIn, recordSignOut } from './entries.ts'
import * as invitations from './invitations.ts'
import { mailPasswordReset, mailVerification } from './jobs.ts'
import { isPasswordOf, isBusyHashing } from './passwords.ts'
import { endWithOldPassword, userById } from './people.ts'
import { address, forwardCookies, mayMail } from './requests.ts'
import * as service from './service.ts'
import { endSessions, lifeOf, noteActivity, noteProof } from './session-life.ts'
import { enterWithNewPassword, signIn } from './sign-in.ts'
import { signUp, verifyAddress } from './sign-up.ts'
import { isMyCode, takeSecondStep } from './two-factor.ts'

/** No one, once the session is over: what remembers it for a moment may not know yet. */
async function whoIsIn({ actor, db, env }: Context) {
  const life = actor && (await lifeOf(db, env, actor.sessionId))
  return { user: life ? await userById(db, actor.id) : null, life }
}

const os = implement(authContract).$context<Context>()

export const authRouter = os.router({
  session: os.session.handler(async ({ context }) => {
    await context.practice.settled()
    return {
      ...(await whoIsIn(context)),
      practice: {
        name: context.env.PRACTICE_NAME,
        subtitle: context.env.PRACTICE_SUBTITLE,
        phone: context.env.PRACTICE_PHONE,
        hours: context.env.PRACTICE_HOURS,
        timeZone: context.env.PRACTICE_TIME_ZONE,
        brandHue: context.env.BRAND_HUE ?? null,
        logo: context.practice.logo()?.hash ?? null,
        demo: context.env.DEMO,
        portalToken: frontEndToken(context.env),
      },
    }
  }),

  signIn: os.signIn.handler(async ({ input, context, errors }) => {
    const result = await signIn(context, input)
    if (result === 'too-many') throw errors.TOO_MANY_REQUESTS()
    if (result === 'wrong') throw errors.INVALID_CREDENTIALS()
    if (result === 'unverified') throw errors.EMAIL_NOT_VERIFIED()
    if (result === 'disabled') throw errors.ACCOUNT_DISABLED()
    return result
  }),

  secondStep: os.secondStep.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('secondStep', address(context)))) throw errors.TOO_MANY_REQUESTS()
    const result = await takeSecondStep(context, input)
    if (result === 'over') throw errors.SIGN_IN_AGAIN()
    if (result.headers === null) {
      await recordRefusal(context, { id: result.userId }, 'code')
      throw errors.INVALID_CODE()
    }
    const user = await userById(context.db, result.userId)
    if (user.status === 'disabled') {
      await endSessions(context.db, user.id)
      await recordRefusal(context, user, 'disabled')
      throw errors.ACCOUNT_DISABLED()
    }
    await context.attempts.forgive('secondStep', address(context))
    await recordSignIn(context, user, input.code === undefined ? 'Recovery code' : 'Authenticator')
    forwardCookies(context, result.headers)
    return user
  }),

  activity: os.activity.handler(async ({ context }) => {
    const life = await noteActivity(context)
    if (!life) throw new ORPCError('UNAUTHORIZED', { message: 'Please sign in' })
    return life
  }),

  stepUp: os.stepUp.handler(async ({ input, context, errors }) => {
    const { id } = staff(context)
    if (isBusyHashing() || !(await context.attempts.consume('proof', id))) throw errors.TOO_MANY_REQUESTS()
    const { code, password = '' } = input
    const isRight = code === undefined ? await isPasswordOf(context.db, id, password) : await isMyCode(context, code)
    if (!isRight) {
      await recordRefusal(context, { id }, 'proof')
      throw code === undefined ? errors.INVALID_CREDENTIALS() : errors.INVALID_CODE()
    }
    await context.attempts.forgive('proof', id)
    await noteProof(context)
  }),

  proof: os.proof.handler(() => {}),

  signUp: os.signUp.handler(async ({ input, context, errors }) => {
    if (isBusyHashing() || !(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    await signUp(context, input)
  }),

  signOut: os.signOut.handler(async ({ context }) => {
    const { headers } = await context.auth.api.signOut({ headers: context.requestHeaders, returnHeaders: true })
    await endSessions(context.db, staff(context).id)
    await recordSignOut(context)
    context.events.notifyHere({ topic: 'session', id: staff(context).id })
    forwardCookies(context, headers)
  }),

  requestPasswordReset: os.requestPasswordReset.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    await enqueue(context.db, mailPasswordReset, { email: input.email })
  }),

  updatePassword: os.updatePassword.handler(async ({ input, context, errors }) => {
    if (isBusyHashing() || !(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    if (input.token) {
      const whose = await service.ownerOfReset(context.db, input.token)
      await context.auth.api.resetPassword({ body: { newPassword: input.password, token: input.token } }).catch((error: unknown) => {
        throw error instanceof APIError ? errors.LINK_INVALID() : error
      })
      if (!whose) return { next: 'sign-in' as const }
      await recordNewPassword(context, whose)
      return enterWithNewPassword(context, whose, input.password)
    }
    if (!context.actor) throw new ORPCError('UNAUTHORIZED')
    const { id } = context.actor
    if (!(await context.attempts.consume('proof', id))) throw errors.TOO_MANY_REQUESTS()
    await context.auth.api
      .changePassword({
        body: { currentPassword: input.currentPassword ?? '', newPassword: input.password },
        headers: context.requestHeaders,
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof APIError)) throw error
        await recordRefusal(context, { id }, 'proof')
        throw errors.INVALID_CREDENTIALS()
      })
    await context.attempts.forgive('proof', id)
    await recordNewPassword(context, id)
    await endWithOldPassword(context.db, context, context.actor)
    context.events.notifyHere({ topic: 'session', id })
    return enterWithNewPassword(context, id, input.password)
  }),

  verifyEmail: os.verifyEmail.handler(async ({ input, context, errors }) => {
    const result = await verifyAddress(context, input)
    if (result === 'bad-link') throw errors.LINK_INVALID()
    if (result === 'too-many') throw errors.TOO_MANY_REQUESTS()
    if (result === 'wrong-password') throw errors.INVALID_CREDENTIALS()
    return { status: result }
  }),

  resendVerification: os.resendVerification.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    await enqueue(context.db, mailVerification, { email: input.email })
  }),

  setupState: os.setupState.handler(async ({ context }) => ({ open: await service.isSetupOpen(context.db) })),

  createFirstAdmin: os.createFirstAdmin.handler(async ({ input, context, errors }) => {
    if (isBusyHashing() || !(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    const id = await service.createFirstAdmin(context, input)
    if (!id) throw errors.LINK_INVALID()
    return userById(context.db, id)
  }),

  invitation: os.invitation.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    const found = await invitations.invitationOf(context, input.token)
    if (!found) throw errors.LINK_INVALID()
    return found
  }),

  acceptInvitation: os.acceptInvitation.handler(async ({ input, context, errors }) => {
    if (isBusyHashing() || !(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    const id = await invitations.acceptInvitation(context, input)
    if (!id) throw errors.LINK_INVALID()
    return userById(context.db, id)
  }),
})
