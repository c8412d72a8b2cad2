import { implement, ORPCError } from '@orpc/server'
import { APIError } from 'better-auth'
import { eq } from 'drizzle-orm'
import type { Context } from '../../server/context.ts'
import { staff } from '../../server/scope.ts'
import { frontEndToken } from '../portal/service.ts'
import { authContract, peopleContract, type Person, type SessionUser } from './contract.ts'
import * as service from './service.ts'
import { profiles } from './table.ts'

type Profile = typeof profiles.$inferSelect

const asPerson = (row: Profile): Person & Profile => ({ ...row, fullName: row.name })
const asUser = async (context: Context, id: string): Promise<SessionUser> => {
  const [row] = await context.db.select().from(profiles).where(eq(profiles.id, id))
  return { ...row!, fullName: row!.name }
}

const errorCode = (error: unknown) => (error instanceof APIError ? String(error.body?.code) : null)

/** Passes the cookies that the library set on to the browser. */
const forwardCookies = (context: Context, headers: Headers) => {
  for (const cookie of headers.getSetCookie()) context.responseHeaders.append('set-cookie', cookie)
}

const os = implement(authContract).$context<Context>()
const address = (context: Context) => context.origin.address ?? 'unknown'

export const authRouter = os.router({
  session: os.session.handler(async ({ context }) => ({
    user: context.actor ? await asUser(context, context.actor.id) : null,
    practice: {
      name: context.env.PRACTICE_NAME,
      subtitle: context.env.PRACTICE_SUBTITLE,
      phone: context.env.PRACTICE_PHONE,
      hours: context.env.PRACTICE_HOURS,
      timeZone: context.env.PRACTICE_TIME_ZONE,
      brandHue: context.env.BRAND_HUE ?? null,
      demo: context.env.DEMO,
      portalToken: frontEndToken(context.env),
    },
  })),

  signIn: os.signIn.handler(async ({ input, context, errors }) => {
    const pair = `${input.email} ${address(context)}`
    const allowed = (await context.attempts.consume('signIn', pair)) && (await context.attempts.consume('signInAddress', address(context)))
    if (!allowed) throw errors.TOO_MANY_REQUESTS()
    try {
      const { headers, response } = await context.auth.api.signInEmail({
        body: input,
        headers: context.requestHeaders,
        returnHeaders: true,
      })
      await context.attempts.forgive('signIn', pair)
      await context.attempts.forgive('signInAddress', address(context))
      const user = await asUser(context, response.user.id)
      if (user.status === 'disabled') {
        await service.endSessions(context.db, user.id)
        throw errors.ACCOUNT_DISABLED()
      }
      forwardCookies(context, headers)
      return user
    } catch (error) {
      if (errorCode(error) === 'EMAIL_NOT_VERIFIED') throw errors.EMAIL_NOT_VERIFIED()
      if (error instanceof APIError) throw errors.INVALID_CREDENTIALS()
      throw error
    }
  }),

  signUp: os.signUp.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    // A known address gets the same answer as a new one; the library sees to that.
    await context.auth.api.signUpEmail({
      body: { ...input, name: `${input.firstName} ${input.lastName}` },
      headers: context.requestHeaders,
    })
  }),

  signOut: os.signOut.handler(async ({ context }) => {
    const { headers } = await context.auth.api.signOut({ headers: context.requestHeaders, returnHeaders: true })
    await service.endSessions(context.db, staff(context).id)
    context.events.tellHere({ topic: 'session', id: staff(context).id })
    forwardCookies(context, headers)
  }),

  requestPasswordReset: os.requestPasswordReset.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    await context.auth.api.requestPasswordReset({ body: input, headers: context.requestHeaders })
  }),

  updatePassword: os.updatePassword.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    if (input.token) {
      await context.auth.api.resetPassword({ body: { newPassword: input.password, token: input.token } }).catch((error: unknown) => {
        throw error instanceof APIError ? errors.LINK_INVALID() : error
      })
      return
    }
    if (!context.actor) throw new ORPCError('UNAUTHORIZED')
    await context.auth.api
      .changePassword({
        body: { currentPassword: input.currentPassword ?? '', newPassword: input.password },
        headers: context.requestHeaders,
      })
      .catch((error: unknown) => {
        throw error instanceof APIError ? errors.INVALID_CREDENTIALS() : error
      })
    await service.endSessions(context.db, context.actor.id)
    context.events.tellHere({ topic: 'session', id: context.actor.id })
  }),

  verifyEmail: os.verifyEmail.handler(async ({ input, context, errors }) => {
    await context.auth.api.verifyEmail({ query: { token: input.token } }).catch((error: unknown) => {
      throw error instanceof APIError ? errors.LINK_INVALID() : error
    })
    const status = await service.statusOfVerified(context.db, input.token)
    if (!status) throw errors.LINK_INVALID()
    return { status }
  }),

  resendVerification: os.resendVerification.handler(async ({ input, context, errors }) => {
    if (!(await mayMail(context, input.email))) throw errors.TOO_MANY_REQUESTS()
    await context.auth.api.sendVerificationEmail({ body: input }).catch((error: unknown) => {
      if (!(error instanceof APIError)) throw error // unknown and verified addresses get the same answer as others
    })
  }),

  setupState: os.setupState.handler(async ({ context }) => ({ open: await service.isSetupOpen(context.db) })),

  createFirstAdmin: os.createFirstAdmin.handler(async ({ input, context, errors }) => {
    if (!(await context.attempts.consume('token', address(context)))) throw errors.TOO_MANY_REQUESTS()
    const id = await service.createFirstAdmin(context.db, input)
    if (!id) throw errors.LINK_INVALID()
    return asUser(context, id)
  }),
})

/** Whether another mail may go to this address, and be caused from this network address. */
const mayMail = async (context: Context, email: string) =>
  (await context.attempts.consume('mail', email)) && (await context.attempts.consume('mailAddress', address(context)))

const people = implement(peopleContract).$context<Context>()

export const peopleRouter = people.router({
  list: people.list.handler(async ({ context }) => (await service.listPeople(context.db)).map(asPerson)),
  accounts: people.accounts.handler(async ({ context }) => (await service.listAccounts(context.db)).map(asPerson)),
  update: people.update.handler(async ({ input, context, errors }) => {
    const result = await service.updateAccount(context, input)
    if (result === 'not-found') throw errors.NOT_FOUND()
    if (result === 'last-admin') throw errors.LAST_ADMIN()
    context.events.tellHere({ topic: 'session', id: input.id })
    return asPerson(result)
  }),
})
