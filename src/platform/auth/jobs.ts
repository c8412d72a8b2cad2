import { APIError } from 'better-auth'
import { lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import { purgeUnverified } from './people/people.ts'
import { createAuth } from './service.ts'
import { rateLimits, sessions, verifications } from './table.ts'

const to = z.object({ email: z.string() })

/** Sends a link to reset the password, if the address has an account. In the background, so that no one can tell by the time of the answer. */
export const mailPasswordReset = defineJob({
  name: 'auth.mail-password-reset',
  payload: to,
  async run({ db, env }, { email }) {
    await createAuth(db, env).api.requestPasswordReset({ body: { email } })
  },
})

/** The same with the link that proves an address, if it waits for that. */
export const mailVerification = defineJob({
  name: 'auth.mail-verification',
  payload: to,
  async run({ db, env }, { email }) {
    try {
      await createAuth(db, env).api.sendVerificationEmail({ body: { email } })
    } catch (error) {
      if (!(error instanceof APIError)) throw error // verified already
    }
  },
})

/** What was counted, asked for and opened, and is over, is of no use to anyone; nor is an account that no one has come back for. */
export const purgeAttempts = defineJob({
  name: 'auth.forget',
  payload: z.object({}),
  cron: '23 * * * *',
  async run(scope) {
    const { db } = scope
    // By the real clock, as the libraries that wrote these have it.
    await db.delete(rateLimits).where(lt(rateLimits.expire, Date.now()))
    await db.delete(verifications).where(lt(verifications.expiresAt, sql`now() - interval '1 day'`))
    await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`))
    await purgeUnverified(scope)
  },
})
