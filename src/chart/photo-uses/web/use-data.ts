import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Client } from '../../../ui/client/api.ts'
import { type ConsentGap, type DownloadPurpose, gapTexts, type Purpose, purposeNames, purposes } from '../rules.ts'

export type PatientUsesData = Awaited<ReturnType<Client['photoUses']['ofContact']>>
export type UseData = PatientUsesData['uses'][number]
export type PhotoConsentData = PatientUsesData['consents'][number]
export type LinkData = PatientUsesData['links'][number]
export type ReleaseData = PatientUsesData['releases'][number]
export type PairData = Awaited<ReturnType<Client['consultGallery']['list']>>[number]

/** What originals leave the chart for, as dialogs ask it. */
export const downloadChoices: readonly { value: DownloadPurpose; label: string }[] = [
  { value: 'patient', label: 'The patient asked for it' },
  ...purposeNames.map((value) => ({ value, label: purposes[value] })),
]

/** Why photos may not be used, each reason once, with how many photos it concerns if it is not all, and what to do. */
export function consentProblem(error: unknown, asked: number): string | null {
  const known = error as InferClientErrors<Client>['photoUses']['begin']
  if (!isDefinedError(known) || known.code !== 'NO_CONSENT') return null
  const counts = Map.groupBy(known.data.photos, ({ gap }) => gap)
  return [...[...counts].map(([gap, photos]) => describe(gap, photos.length, asked)), whatToDo].join(' ')
}

/** When a consent is missing. */
export const whatToDo = 'Send a consent form for the use of photos, or record a consent.'

const describe = (gap: ConsentGap, count: number, asked: number): string =>
  count === asked ? gapTexts[gap] : `${count} of ${asked} photos: ${gapTexts[gap]}`

/** The purposes for which a photo is live, each once. */
export const livePurposesOf = (uses: readonly UseData[], photoId: string): Purpose[] => [
  ...new Set(uses.filter((use) => use.photoId === photoId && use.isLive).map(({ purpose }) => purpose)),
]
