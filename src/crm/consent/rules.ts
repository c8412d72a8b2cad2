import { beginningOf, dayAt, daysLater, monthsLater } from '../../shared/zoned-time.ts'

/** How a patient is reached. Each entry of the ledger is for one of them. */
export const consentChannels = ['email', 'text'] as const
export type ConsentChannel = (typeof consentChannels)[number]

/**
 * Why a patient may be sent commercial messages: they agreed to it, or it is implied by an inquiry or a purchase. `none`: a withdrawal without
 * prior consent, stored so that a later inquiry or purchase does not imply consent.
 */
export const consentBases = ['express', 'inquiry', 'purchase', 'none'] as const
export type ConsentBasis = (typeof consentBases)[number]

/** How many months a basis lasts. Null: until it is withdrawn. */
export const basisMonths: Record<ConsentBasis, number | null> = { express: null, inquiry: 6, purchase: 24, none: null }

/** How a patient can give express consent. */
export const consentWays = ['in_person', 'phone', 'paper', 'email', 'web_form'] as const
export type ConsentWay = (typeof consentWays)[number]

/** Also the flag on the patient's record, an import, a lead form and a sale. */
export const consentSources = [...consentWays, 'record', 'imported', 'lead', 'sale'] as const
export type ConsentSource = (typeof consentSources)[number]

/**
 * The patient asked the clinic; the flag on the record; the link in an email; a report by Postmark; a text message with STOP; a merge whose
 * result has no consent.
 */
export const withdrawalSources = ['asked', 'record', 'link', 'postmark', 'stop', 'merge'] as const
export type WithdrawalSource = (typeof withdrawalSources)[number]

/**
 * When a basis expires: at the end of the day, in the practice's time zone, `basisMonths` after the day on which it was given, or on the
 * last day of a shorter month. Null: never.
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

/** The entries of one channel. */
export const entriesFor = <Some extends { channel: ConsentChannel }>(entries: readonly Some[], channel: ConsentChannel): Some[] =>
  entries.filter((entry) => entry.channel === channel)

/** When the patient last withdrew; null if never. Entries ended by a merge do not count: no one withdrew. */
const lastWithdrawal = (entries: readonly Entry[]): number | null =>
  entries
    .filter(({ withdrawalSource }) => withdrawalSource !== 'merge')
    .reduce<number | null>((last, { withdrawnAt }) => (withdrawnAt ? Math.max(last ?? 0, withdrawnAt.getTime()) : last), null)

/**
 * The consent entry of one channel valid at a moment; if several are, the one that lasts longest. After a withdrawal only express consent given since then
 * counts, not another inquiry or purchase (CASL s. 11).
 */
export function liveBasis<Some extends Entry>(entries: readonly Some[], at: Date): Some | null {
  const withdrawal = lastWithdrawal(entries)
  const counts = ({ basis, givenAt }: Some) => withdrawal === null || (basis === 'express' && givenAt.getTime() >= withdrawal)
  const end = ({ expiresAt }: Some) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  return entries
    .filter((entry) => isLive(entry, at) && counts(entry))
    .reduce<Some | null>((best, entry) => (best && end(best) >= end(entry) ? best : entry), null)
}

/** Whether the patient withdrew and has not given express consent since. */
export const isWithdrawn = (entries: readonly Entry[], at: Date): boolean =>
  lastWithdrawal(entries) !== null && liveBasis(entries, at) === null

/** Whether every message from a template in this category is commercial. */
export const isCommercialCategory = (category: string): boolean => category.trim().toLowerCase() === 'marketing'
