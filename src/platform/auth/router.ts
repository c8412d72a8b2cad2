import { implement } from '@orpc/server'
import type { Context } from '../context.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { refuse, unwrap } from '../../kernel/refusal.ts'
import { staff } from '../../kernel/scope.ts'
import { frontEndToken } from './front-end-token.ts'
import { authContract } from './contract.ts'
import { recordSignOut } from './audit-entries.ts'
import * as invitations from './people/invitations.ts'
import { mailPasswordReset, mailVerification } from './jobs.ts'
import { changePassword, resetPassword } from './new-password.ts'
import { limitHashing } from './passwords.ts'
import { asUser, userById } from './people/people.ts'
import { forwardCookies, limitMails, limitTokens, withProof } from './requests.ts'
import * as service from './service.ts'
import { endSessions, readSession, recordActivity, recordProof } from './sessions/session-expiry.ts'
import { signIn, signInWithCode, signInWithPasskey } from './sign-in.ts'
import { signUp, verifyAddress } from './sign-up.ts'
import { beginSso, finishSso, ssoOf } from './sso/sso.ts'
import { askForPasskey } from './account/passkeys.ts'
import { proveMe } from './account/two-factor.ts'

/** Null after the session ends: the cache may not have noticed yet. */
async function whoIsIn({ actor, db, env }: Context) {
  const session = actor && (await readSession(db, env, actor.sessionId))
  return { user: session ? asUser(session.user) : null, life: session?.life ?? null }
}

/** Refuses new accounts with a password where single sign-on is enforced. */
const requirePasswords = ({ env }: Context) => (env.OIDC_ONLY ? refuse('SSO_REQUIRED') : true)

const os = implement(authContract).$context<Context>()

export const authRouter = os.router({
  session: os.session.handler(async ({ context }) => {
    await context.practice.whenLoaded()
    return {
      ...(await whoIsIn(context)),
      practice: {
        name: context.env.PRACTICE_NAME,
        subtitle: context.env.PRACTICE_SUBTITLE,
        subtitleFr: context.env.PRACTICE_SUBTITLE_FR,
        phone: context.env.PRACTICE_PHONE,
        hours: context.env.PRACTICE_HOURS,
        hoursFr: context.env.PRACTICE_HOURS_FR,
        timeZone: context.env.PRACTICE_TIME_ZONE,
        brandHue: context.env.BRAND_HUE ?? null,
        logo: context.practice.logo()?.hash ?? null,
        demo: context.env.DEMO,
        portalToken: frontEndToken(context.env),
        sso: ssoOf(context.env),
      },
    }
  }),

  signIn: os.signIn.handler(async ({ input, context, errors }) => unwrap(await signIn(context, input), errors)),
  secondStep: os.secondStep.handler(async ({ input, context, errors }) => unwrap(await signInWithCode(context, input), errors)),
  askForPasskey: os.askForPasskey.handler(async ({ context, errors }) => ({ ...unwrap(await askForPasskey(context), errors) })),
  passkeySignIn: os.passkeySignIn.handler(async ({ input, context, errors }) =>
    unwrap(await signInWithPasskey(context, input.passkey), errors),
  ),
  beginSsoProof: os.beginSsoProof.handler(async ({ context, errors }) => ({ url: unwrap(await beginSso(context, 'proof'), errors) })),
  beginSso: os.beginSso.handler(async ({ context, errors }) => ({ url: unwrap(await beginSso(context, 'sign-in'), errors) })),
  finishSso: os.finishSso.handler(async ({ input, context, errors }) => unwrap(await finishSso(context, input), errors)),
  activity: os.activity.handler(async ({ context, errors }) => unwrap(await recordActivity(context), errors)),
  stepUp: os.stepUp.handler(async ({ input, context, errors }) => {
    unwrap(await withProof(context, () => proveMe(context, input)), errors)
    await recordProof(context)
  }),
  proof: os.proof.handler(() => {}),

  signUp: os.signUp.handler(async ({ input, context, errors }) => {
    unwrap(requirePasswords(context), errors)
    unwrap(limitHashing(), errors)
    unwrap(await limitMails(context, input.email), errors)
    await signUp(context, input)
  }),
  signOut: os.signOut.handler(async ({ context }) => {
    const { headers } = await context.auth.api.signOut({ headers: context.requestHeaders, returnHeaders: true })
    await endSessions(context.db, staff(context).id)
    await recordSignOut(context)
    context.events.notifyLocal({ topic: 'session', id: staff(context).id })
    forwardCookies(context, headers)
  }),

  requestPasswordReset: os.requestPasswordReset.handler(async ({ input, context, errors }) => {
    unwrap(await limitMails(context, input.email), errors)
    await enqueue(context.db, mailPasswordReset, { email: input.email })
  }),
  updatePassword: os.updatePassword.handler(async ({ input: { token, currentPassword = '', password }, context, errors }) => {
    unwrap(limitHashing(), errors)
    unwrap(await limitTokens(context), errors)
    return token
      ? unwrap(await resetPassword(context, token, password), errors)
      : unwrap(await changePassword(context, currentPassword, password), errors)
  }),

  verifyEmail: os.verifyEmail.handler(async ({ input, context, errors }) => ({
    status: unwrap(await verifyAddress(context, input), errors),
  })),
  resendVerification: os.resendVerification.handler(async ({ input, context, errors }) => {
    unwrap(await limitMails(context, input.email), errors)
    await enqueue(context.db, mailVerification, { email: input.email })
  }),

  setupState: os.setupState.handler(async ({ context }) => ({ open: await service.isSetupOpen(context.db) })),
  createFirstAdmin: os.createFirstAdmin.handler(async ({ input, context, errors }) => {
    unwrap(limitHashing(), errors)
    unwrap(await limitTokens(context), errors)
    return userById(context.db, unwrap(await service.createFirstAdmin(context, input), errors))
  }),

  invitation: os.invitation.handler(async ({ input, context, errors }) => {
    unwrap(await limitTokens(context), errors)
    return unwrap(await invitations.invitationOf(context, input.token), errors)
  }),
  acceptInvitation: os.acceptInvitation.handler(async ({ input, context, errors }) => {
    unwrap(requirePasswords(context), errors)
    unwrap(limitHashing(), errors)
    unwrap(await limitTokens(context), errors)
    return userById(context.db, unwrap(await invitations.acceptInvitation(context, input), errors))
  }),
})
