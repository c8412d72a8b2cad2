import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../server/database.ts'

/** How often something may be tried, counted in the database so that every process counts the same. No lasting lock-out. */
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
    /** Wrong passwords for one account from one address, and from one address for any account. */
    signIn: limiter('sign-in', 10, 10),
    signInAddress: limiter('sign-in-address', 100, 10),
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
    /** Links to appointments, and calendars that are subscribed to, from one network address. */
    appointmentLink: limiter('appointment-link', 60, 15),
    calendarFeed: limiter('calendar-feed', 120, 15),
  }
  type Name = keyof typeof limiters

  /** Counts one attempt; false when there were too many. */
  const consume = async (name: Name, key: string): Promise<boolean> => {
    try {
      await limiters[name].consume(key.toLowerCase())
      return true
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false
      throw refusal
    }
  }
  return {
    consume,
    /** Takes an attempt back, because it succeeded. */
    forgive: async (name: Name, key: string) => void (await limiters[name].reward(key.toLowerCase(), 1)),
  }
}
export type Attempts = ReturnType<typeof createAttempts>
