import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from './postgres/database.ts'
import type { Env } from './env.ts'
import type { LimitUse } from './http/limit-headers.ts'

type Limits = Pick<Env, 'API_CALLS_PER_MINUTE' | 'HOOKS_PER_MINUTE' | 'LEADS_PER_MINUTE_PER_ADDRESS' | 'LEADS_PER_MINUTE_PER_KEY'>

/**
 * Rate limits. Limits that protect a secret, a person or their data are counted in the database, so that all processes share them
 * (decisions/rate-limits.md). There is no permanent lockout. `noteUse` is called with each counted limit.
 */
export function createAttempts(db: Database, env: Limits) {
  const optionsOf = (keyPrefix: string, points: number, minutes: number) => ({ keyPrefix, points, duration: minutes * 60 })
  const inDatabase = (name: string, points: number, minutes: number) => ({
    isAboutSubject: false,
    limiter: new RateLimiterPostgres({
      ...optionsOf(name, points, minutes),
      storeClient: db.$client,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    }),
  })
  const inProcess = (name: string, points: number, minutes: number) => ({
    isAboutSubject: false,
    limiter: new RateLimiterMemory(optionsOf(name, points, minutes)),
  })
  const bySubject = (name: string, points: number, minutes: number) => ({ ...inDatabase(name, points, minutes), isAboutSubject: true })
  const limits = {
    /** Wrong passwords for one account from one address, from one address for any account, and for one account from anywhere. */
    signIn: inDatabase('sign-in', 10, 10),
    signInAddress: inDatabase('sign-in-address', 100, 10),
    signInAccount: bySubject('sign-in-account', 50, 10),
    /** While an account is attacked from many addresses, each address still has one attempt, so that its owner is not locked out. */
    signInUnderAttack: inDatabase('sign-in-besieged', 1, 10),
    /** Passkeys, and second-factor codes, from one address; the library limits the codes of an account. */
    secondStep: inDatabase('second-step', 60, 10),
    /** Sign-ins without a password, started from one address: each stores a row. */
    directSignIn: inDatabase('direct-sign-in', 300, 15),
    /** Passwords and codes that a signed-in user confirms an action with. */
    proof: inDatabase('proof', 10, 10),
    /** Emails that anyone can trigger: to one address in 15 minutes and in a day, and from one network address. */
    mail: bySubject('mail', 3, 15),
    mailDay: bySubject('mail-day', 10, 24 * 60),
    mailAddress: inDatabase('mail-address', 60, 15),
    token: inDatabase('token', 60, 15),
    /** Portal codes: to one address in 15 minutes and in a day, and for any address from one network address. */
    portalCode: bySubject('portal-code', 3, 15),
    portalCodeDay: bySubject('portal-code-day', 10, 24 * 60),
    portalCodeAddress: inDatabase('portal-code-address', 30, 15),
    portalVerifyAddress: inDatabase('portal-verify-address', 60, 15),
    /** Wrong codes of tablets, from one network address (decisions/portal.md has the arithmetic). */
    tabletCodeAddress: inDatabase('tablet-code-address', 20, 5),
    portalUploadAddress: inDatabase('portal-upload-address', 120, 15),
    /** Sealed PDFs that anyone verifies, from one network address. */
    pdfVerification: inDatabase('pdf-verification', 60, 15),
    /** Connection tests of one external system, by one user. */
    connectionTest: inDatabase('connection-test', 6, 1),
    /** Appointment links and calendar feeds, from one network address. */
    appointmentLink: inDatabase('appointment-link', 60, 15),
    /**
     * The page where patients book themselves, from one network address, which an office or a mobile network shares: what costs nothing; bookings that hold a
     * time, each after a code by email; and their further times and payments.
     */
    bookingPage: inProcess('booking-page', 600, 1),
    bookingHold: inDatabase('booking-hold', 60, 60),
    bookingChange: inDatabase('booking-change', 120, 15),
    /** Links to the payment page, from one network address. */
    payLink: inDatabase('pay-link', 120, 15),
    /** Short links in text messages, from one network address, and new ones for one patient. */
    textLink: inDatabase('text-link', 60, 15),
    textLinkRenewal: bySubject('text-link-renewal', 5, 24 * 60),
    sharedPhotos: inDatabase('shared-photos', 300, 15),
    calendarFeed: inDatabase('calendar-feed', 120, 15),
    /** Exports by one user: of each list, of patient records, and of many photos. */
    listExport: inDatabase('list-export', 60, 60),
    /** Photos as they were taken, one at a time. */
    photoOriginal: inDatabase('photo-original', 30, 60),
    patientExport: inDatabase('patient-export', 30, 60),
    photoDownload: inDatabase('photo-download', 20, 60),
    /** Unknown or expired API keys, from one network address. */
    wrongApiKey: inDatabase('wrong-api-key', 60, 1),
    /** These protect a process from load. Counting them in the database would cost more than the calls themselves. */
    apiKey: inProcess('api-key', env.API_CALLS_PER_MINUTE, 1),
    leadKey: inProcess('lead-key', env.LEADS_PER_MINUTE_PER_KEY, 1),
    leadAddress: inProcess('lead-address', env.LEADS_PER_MINUTE_PER_ADDRESS, 1),
    /** Photos on the website, which its visitors load, from one network address: many visitors share that of their office. */
    galleryImage: inProcess('gallery-image', 1_200, 1),
    hookAddress: inProcess('hook-address', env.HOOKS_PER_MINUTE, 1),
  }
  type Name = keyof typeof limits

  return (noteUse: (use: LimitUse) => void) => {
    const note = (name: Name, result: RateLimiterRes, isExceeded: boolean) => {
      const { limiter, isAboutSubject } = limits[name]
      noteUse({
        name: limiter.keyPrefix,
        quota: limiter.points,
        windowSeconds: limiter.duration,
        remaining: result.remainingPoints,
        resetMs: result.msBeforeNext,
        isExceeded,
        isAboutSubject,
      })
    }
    return {
      /** Counts one attempt; false if the limit is exceeded. */
      consume: async (name: Name, key: string): Promise<boolean> => {
        try {
          note(name, await limits[name].limiter.consume(key.toLowerCase()), false)
          return true
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          note(name, refusal, true)
          return false
        }
      },
      /** Removes an attempt from the count, because it succeeded. */
      forgive: async (name: Name, key: string): Promise<void> => note(name, await limits[name].limiter.reward(key.toLowerCase(), 1), false),
    }
  }
}
export type CountAttempts = ReturnType<typeof createAttempts>
export type Attempts = ReturnType<CountAttempts>
export type LimitName = Parameters<Attempts['consume']>[0]
