import { APIError } from 'better-auth'
import { lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { mayUsePassword } from './people/emergency.ts'
import { purgeUnverified } from './people/people.ts'
import { createAuth } from './service.ts'
import { rateLimits, sessions, verifications } from './table.ts'

const to = z.object({ email: z.string() })

/** Emails a password reset link if the address has an account that may use a password. Runs in the background, so response times reveal nothing. */
export const mailPasswordReset = defineJob({
  name: 'auth.mail-password-reset',
  payload: to,
  async run({ db, env }, { email }) {
    if (await mayUsePassword({ db, env }, { email })) await createAuth(db, env).api.requestPasswordReset({ body: { email } })
  },
})

/** Emails a verification link if the address is unverified; also in the background. */
export const mailVerification = defineJob({
  name: 'auth.mail-verification',
  payload: to,
  async run({ db, env }, { email }) {
    try {
      await createAuth(db, env).api.sendVerificationEmail({ body: { email } })
    } catch (error) {
      if (!(error instanceof APIError)) throw error // already verified
    }
  },
})

/** Deletes expired counters, tokens and sessions, and unverified accounts that were abandoned. */
export const purgeAttempts = defineJob({
  name: 'auth.purge',
  payload: z.object({}),
  cron: '23 * * * *',
  async run(scope) {
    const { db } = scope
    // Uses the real clock, as the libraries that wrote these rows do.
    await db.delete(rateLimits).where(lt(rateLimits.expire, Date.now()))
    await db.delete(verifications).where(lt(verifications.expiresAt, sql`now() - interval '1 day'`))
    await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
    await purgeUnverified(scope)
  },
})
