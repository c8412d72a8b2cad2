import { beginningOf, dayAt, daysLater, monthsLater } from '../../shared/zoned-time.ts'

/**
 * Why a patient may be sent commercial email: they have said so, or it is implied by an inquiry or a purchase. `none`: they withdrew while nothing
 * allowed it, which is kept so that a later inquiry or purchase doesn't allow it either.
 */
export const consentBases = ['express', 'inquiry', 'purchase', 'none'] as const
export type ConsentBasis = (typeof consentBases)[number]

/** Months for which a basis lasts; express consent lasts until it is withdrawn. */
export const basisMonths: Record<ConsentBasis, number | null> = { express: null, inquiry: 6, purchase: 24, none: null }

/** How a patient may have told the clinic. */
export const consentWays = ['in_person', 'phone', 'paper', 'email', 'web_form'] as const
export type ConsentWay = (typeof consentWays)[number]

/** Besides: the tick on the patient's record, an import, a lead form, a sale. */
export const consentSources = [...consentWays, 'record', 'imported', 'lead', 'sale'] as const
export type ConsentSource = (typeof consentSources)[number]

/** The patient told the clinic; the tick on the record; the link of a mail; what Postmark told; a merge whose result has no consent. */
export const withdrawalSources = ['asked', 'record', 'link', 'postmark', 'merge'] as const
export type WithdrawalSource = (typeof withdrawalSources)[number]

/**
 * When a basis ends: with the calendar day, in the practice's time zone, so many months after the day on which it was given. A month that is
 * too short ends it on its last day. Null: not by itself.
 */
export function expiryOf(basis: ConsentBasis, givenAt: Date, timeZone: string): Date | null {
  const months = basisMonths[basis]
  if (months === null) return null
  return beginningOf(daysLater(monthsLater(dayAt(givenAt, timeZone), months), 1), timeZone)
}

type Entry = {
  basis: ConsentBasis
  givenAt: Date
  expiresAt: Date | null
  withdrawnAt: Date | null
  withdrawalSource?: WithdrawalSource | null
}

export const isLive = ({ givenAt, expiresAt, withdrawnAt }: Entry, at: Date): boolean =>
  withdrawnAt === null && givenAt <= at && (expiresAt === null || at < expiresAt)

/** When the patient last withdrew; null if they never did. A merge ends entries too, but no one withdrew by it. */
const lastWithdrawal = (entries: readonly Entry[]): number | null =>
  entries
    .filter(({ withdrawalSource }) => withdrawalSource !== 'merge')
    .reduce<number | null>((last, { withdrawnAt }) => (withdrawnAt ? Math.max(last ?? 0, withdrawnAt.getTime()) : last), null)

/**
 * The basis that holds at a moment, of all of a patient's entries: of several the one that lasts longest. Once they withdrew, only express consent
 * given since then counts; another inquiry or purchase doesn't (issue 22, CASL s. 11).
 */
export function liveBasis<Some extends Entry>(entries: readonly Some[], at: Date): Some | null {
  const withdrawal = lastWithdrawal(entries)
  const counts = ({ basis, givenAt }: Some) => withdrawal === null || (basis === 'express' && givenAt.getTime() >= withdrawal)
  const end = ({ expiresAt }: Some) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  return entries
    .filter((entry) => isLive(entry, at) && counts(entry))
    .reduce<Some | null>((best, entry) => (best && end(best) >= end(entry) ? best : entry), null)
}

/** Whether a withdrawal stands: the patient withdrew, and hasn't given express consent since. */
export const isWithdrawn = (entries: readonly Entry[], at: Date): boolean =>
  lastWithdrawal(entries) !== null && liveBasis(entries, at) === null

/** A template of this category is commercial by itself. */
export const isCommercialCategory = (category: string): boolean => category.trim().toLowerCase() === 'marketing'
