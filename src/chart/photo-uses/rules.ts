import type { PhotoScope } from '../consent-forms/definition-rules.ts'
import type { ShotList, TimePoint } from '../photos/rules.ts'

/** What photos leave the chart for. Each needs a consent of its own. */
export const purposes = {
  referral: 'Referral',
  consult_room: 'Consult room',
  website: 'Website',
  social_media: 'Social media',
  education: 'Teaching',
  research: 'Research',
} as const satisfies Record<string, string>
export type Purpose = keyof typeof purposes
export const purposeNames = Object.keys(purposes) as [Purpose, ...Purpose[]]

/** Open to everyone. The patient's consent counts only if it was given after the treatment (CPSO, Advertising: express consent, no inducement). */
export const publicPurposes: readonly Purpose[] = ['website', 'social_media']

/** Purposes of which staff write down where the photo is, because Refyne does not end them by itself. */
const placedPurposes = ['social_media', 'education', 'research'] as const satisfies readonly Purpose[]
export const isPlaced = (purpose: Purpose): boolean => (placedPurposes as readonly Purpose[]).includes(purpose)

/** Purposes for which photos are sent to one person. */
export const linkPurposes = ['referral', 'education', 'research'] as const satisfies readonly Purpose[]

/** The uses of a signed consent form that allow a purpose. Earlier forms ask for referrals with the chart, and for both public ones together. */
export const scopesFor = {
  referral: ['chart'],
  consult_room: ['consult_room'],
  website: ['website', 'publication'],
  social_media: ['social_media', 'publication'],
  education: ['education'],
  research: ['research'],
} as const satisfies Record<Purpose, readonly PhotoScope[]>

export const ageBands = ['under 20', '20–29', '30–39', '40–49', '50–59', '60 and over'] as const
export type AgeBand = (typeof ageBands)[number]

/** What originals leave the chart for: the patient asked for them, or a purpose with a consent. */
export const downloadPurposes = ['patient', ...purposeNames] as const
export type DownloadPurpose = (typeof downloadPurposes)[number]

/** The most that is asked for at once. */
export const useLimits = {
  photos: 50,
  downloaded: 200,
  reason: 500,
  place: 200,
  note: 500,
  name: 120,
  technique: 60,
  days: 30,
  pairs: 500,
} as const

/** A consent of a patient, from a signed form or recorded apart. Days are 'yyyy-MM-dd'. */
export interface PhotoConsent {
  purpose: Purpose
  givenOn: string
  /** The last day on which it counts. */
  expiresOn: string | null
  isWithdrawn: boolean
  /** Null: every photo. */
  photoIds: readonly string[] | null
}

/** A photo that is to be used. `treatedOn`: the day from which a consent for public use counts; null: the treatment is not over. */
export interface UsedPhoto {
  id: string
  treatedOn: string | null
}

/** Why a use ended: staff ended it, the patient withdrew the consent, or its last day is over. */
export const endReasons = ['ended', 'withdrawn', 'expired'] as const
export type EndReason = (typeof endReasons)[number]

export type ConsentGap = 'none' | 'withdrawn' | 'expired' | 'other_photos' | 'before_treatment'

export const gapTexts: Record<ConsentGap, string> = {
  none: 'The patient has not consented to this use.',
  withdrawn: 'The patient has withdrawn the consent to this use.',
  expired: 'The consent to this use has expired.',
  other_photos: 'The consent to this use is for other photos.',
  before_treatment: 'Consent to public use counts only if the patient gives it after the treatment.',
}

/** The consent that allows a use on a day, or what is missing. Of several gaps, the one that is nearest to a consent. */
export function consentFor<Consent extends PhotoConsent>(
  consents: readonly Consent[],
  photo: UsedPhoto,
  purpose: Purpose,
  today: string,
): Consent | { gap: ConsentGap } {
  const order: readonly ConsentGap[] = ['before_treatment', 'other_photos', 'expired', 'withdrawn', 'none']
  let nearest: ConsentGap = 'none'
  for (const consent of consents) {
    if (consent.purpose !== purpose) continue
    const gap = gapOf(consent, photo, today)
    if (gap === null) return consent
    if (order.indexOf(gap) < order.indexOf(nearest)) nearest = gap
  }
  return { gap: nearest }
}

function gapOf(consent: PhotoConsent, photo: UsedPhoto, today: string): ConsentGap | null {
  if (consent.isWithdrawn) return 'withdrawn'
  if (consent.expiresOn !== null && consent.expiresOn < today) return 'expired'
  if (consent.photoIds !== null && !consent.photoIds.includes(photo.id)) return 'other_photos'
  return isBeforeTreatment(consent, photo) ? 'before_treatment' : null
}

/** Whether a consent to public use was given before the treatment that a photo shows. */
export const isBeforeTreatment = ({ purpose, givenOn }: Pick<PhotoConsent, 'purpose' | 'givenOn'>, { treatedOn }: UsedPhoto): boolean =>
  publicPurposes.includes(purpose) && (treatedOn === null || treatedOn > givenOn)

/** A series of a patient, as far as it says when the treatment was over. */
export interface DatedSeries {
  id: string
  shotList: ShotList
  timePoint: TimePoint
  takenOn: string
  hasPhotos: boolean
}

/**
 * The day from which a consent to public use of the photos of a series counts: its own, or of one before treatment, that of the first series after it.
 * Null: the treatment is not over.
 */
export function treatedDayOf({ shotList, timePoint, takenOn }: DatedSeries, all: readonly DatedSeries[]): string | null {
  if (timePoint !== 'pre_op') return takenOn
  const days = all.flatMap((later) =>
    later.shotList === shotList && later.timePoint !== 'pre_op' && later.takenOn >= takenOn && later.hasPhotos ? [later.takenOn] : [],
  )
  return days.toSorted()[0] ?? null
}
