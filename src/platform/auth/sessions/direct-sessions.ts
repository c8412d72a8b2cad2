import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import { z } from 'zod'

/** Seconds between the first step and the code. */
export const secondStepWithin = 10 * 60

/** Start of the name of a second step that follows another sign-in than a password. */
export const withoutPassword = '2fa-direct-'

/**
 * Lets sign-ins without a password use the library's own sessions and second step, so that there is one kind of either. The library calls
 * the same functions after a password; no address leads here.
 */
export const directSessions = {
  id: 'direct-sessions',
  endpoints: {
    openDirectSession: createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.uuid() }) }, async (call) => {
      const { internalAdapter } = call.context
      const user = await internalAdapter.findUserById(call.body.userId)
      const session = await internalAdapter.createSession(call.body.userId)
      if (!user) throw new Error('An account was deleted while it signed in')
      await setSessionCookie(call, { session, user })
      return { id: session.id }
    }),
    beginSecondStep: createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.uuid() }) }, async (call) => {
      const { internalAdapter, secret, createAuthCookie } = call.context
      const cookie = createAuthCookie('two_factor', { maxAge: secondStepWithin })
      const identifier = `${withoutPassword}${generateRandomString(20)}`
      const expiresAt = new Date(Date.now() + secondStepWithin * 1000)
      await internalAdapter.createVerificationValue({ identifier, value: call.body.userId, expiresAt })
      await internalAdapter.createVerificationValue({ identifier: `2fa-attempts-${identifier}`, value: '0', expiresAt })
      await call.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
      return { expiresAt }
    }),
    /** The name of the second step that this browser's cookie waits for; null without one, or if its signature is wrong. */
    readSecondStep: createAuthEndpoint.serverOnly({ method: 'POST' }, async (call) => {
      const { secret, createAuthCookie } = call.context
      return { identifier: (await call.getSignedCookie(createAuthCookie('two_factor').name, secret)) || null }
    }),
  },
}
