import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { ComponentType, ReactNode } from 'react'
import type { Client } from '../../../ui/client/api.ts'
import { inShotOrder, maxPhotosOfPdf, type PhotoView, missingViews, shotLists, timePoints, views } from '../rules.ts'

export type SeriesData = Awaited<ReturnType<Client['photos']['ofContact']>>[number]
export type PhotoData = SeriesData['photos'][number]
export type StartedSeriesData = Awaited<ReturnType<Client['photos']['seriesOfContact']>>[number]

/** The dialog that downloads a photo as it was taken, loaded when it is opened. */
export type OriginalDialogCode = ComponentType<{ photo: PhotoData; onClose: () => void }> & { prepare: () => void }

/** What can be done with photos outside the chart. */
export interface PhotoAction {
  label: string
  icon: ReactNode
  /** Loads its code. */
  onPointerEnter?: () => void
  onClick: () => void
}

/** What is known about one photo outside the chart, and what can be done about it there. */
export interface OutsideOfPhoto {
  fact: string | null
  action: PhotoAction | null
}

/** A photo with what its series is. */
export type ShownPhoto = { photo: PhotoData; title: string; takenOn: string }

export const pdfUrl = (photos: readonly Pick<PhotoData, 'id'>[]): string =>
  `/api/photos.pdf?ids=${photos
    .slice(0, maxPhotosOfPdf)
    .map(({ id }) => id)
    .join(',')}`

export type PhotoFile = 'screen' | 'thumbnail' | 'shared'
export const photoUrl = ({ id }: Pick<PhotoData, 'id'>, file: PhotoFile): string => `/api/photos/${id}/${file}`

/** '3 weeks post-op', or the name of another series. */
export const titleOf = ({ timePoint, title }: Pick<SeriesData, 'timePoint' | 'title'>): string => title ?? timePoints[timePoint]

/** What a series shows: a photo or a missing view for each place of its shot list, then other photos. */
export type Place = { photo: PhotoData } | { missing: PhotoView }

export function placesOf({ shotList, photos }: Pick<SeriesData, 'shotList' | 'photos'>): Place[] {
  const missing = missingViews(shotList, photos)
  const ordered = inShotOrder(shotList, photos)
  const listed: readonly PhotoView[] = shotLists[shotList].views
  return [
    ...listed.flatMap((view): Place[] =>
      missing.includes(view) ? [{ missing: view }] : ordered.filter((photo) => photo.view === view).map((photo) => ({ photo })),
    ),
    ...ordered.filter(({ view }) => !listed.includes(view)).map((photo) => ({ photo })),
  ]
}

/** How much of its shot list a series has: null without one. */
export function progressOf({ shotList, photos }: Pick<SeriesData, 'shotList' | 'photos'>): { taken: number; of: number } | null {
  const of = shotLists[shotList].views.length
  return of === 0 ? null : { taken: of - missingViews(shotList, photos).length, of }
}

export const viewOptions = (Object.keys(views) as PhotoView[]).map((value) => ({ value, label: views[value] }))

/** The series as it is now, if a change was refused because someone else changed it first. */
export function conflictOf(thrown: unknown): StartedSeriesData | null {
  const error = thrown as InferClientErrors<Client>['photos']['changeSeries']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
}

/** The ids with this one added; without it, if it was among them. */
export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
