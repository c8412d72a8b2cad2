import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../server/database.ts'

/**
 * How often something may be tried, counted in the database so that every process counts the same. No lasting lock-out.
 * Whoever counts says what is to hear of a refusal, and of how long it takes, in milliseconds, until there may be another attempt.
 */
export function createAttempts(db: Database) {
  const limiter = (keyPrefix: string, points: number, minutes: number) =>
    new RateLimiterPostgres({
      storeClient: db.$client,
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: minutes * 60,
      clearExpiredByTimeout: false,
    })
  const limiters = {
    /** Wrong passwords for one account from one address, from one address for any account, and for one account from anywhere. */
    signIn: limiter('sign-in', 10, 10),
    signInAddress: limiter('sign-in-address', 100, 10),
    signInAccount: limiter('sign-in-account', 50, 10),
    /** While an account is tried from everywhere, each address has one try: the person themselves is not locked out. */
    signInBesieged: limiter('sign-in-besieged', 1, 10),
    /** Codes after the password, from one address; the library counts those of an account. */
    secondStep: limiter('second-step', 60, 10),
    /** A code that an authenticator showed is good for a minute and a half at most. */
    authenticatorCode: limiter('authenticator-code', 1, 2),
    /** Passwords and codes that somebody who is signed in proves themselves with. */
    proof: limiter('proof', 10, 10),
    /** Mails to one address, and mails that one network address causes. */
    mail: limiter('mail', 5, 15),
    mailAddress: limiter('mail-address', 60, 15),
    token: limiter('token', 60, 15),
    /** Codes for the portal: to one address in a quarter of an hour and in a day, and for any address from one network address. */
    portalCode: limiter('portal-code', 3, 15),
    portalCodeDay: limiter('portal-code-day', 10, 24 * 60),
    portalCodeAddress: limiter('portal-code-address', 30, 15),
    portalVerifyAddress: limiter('portal-verify-address', 60, 15),
    portalUploadAddress: limiter('portal-upload-address', 120, 15),
    /** Tests of one system around the server, by one person. */
    connectionTest: limiter('connection-test', 6, 1),
    /** Links to appointments, and calendars that are subscribed to, from one network address. */
    appointmentLink: limiter('appointment-link', 60, 15),
    calendarFeed: limiter('calendar-feed', 120, 15),
  }
  type Name = keyof typeof limiters

  return (refused: (wait: number) => void) => ({
    /** Counts one attempt; false when there were too many. */
    consume: async (name: Name, key: string): Promise<boolean> => {
      try {
        await limiters[name].consume(key.toLowerCase())
        return true
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        refused(refusal.msBeforeNext)
        return false
      }
    },
    /** Takes an attempt back, because it succeeded. */
    forgive: async (name: Name, key: string) => void (await limiters[name].reward(key.toLowerCase(), 1)),
  })
}
export type CountAttempts = ReturnType<typeof createAttempts>
export type Attempts = ReturnType<CountAttempts>
