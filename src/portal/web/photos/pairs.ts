import type { OwnPhotos } from '../../photos-contract.ts'

export type SeriesData = OwnPhotos['series'][number]
export type PhotoData = SeriesData['photos'][number]
export interface Pair {
  before: { photo: PhotoData; series: SeriesData }
  after: { photo: PhotoData; series: SeriesData }
}

/**
 * One view before and after, for each view of which there are both: the newest result beside the last photo before it. `series`: newest first. Of
 * several photos of one view, the last one counts.
 */
export function pairsOf(series: readonly SeriesData[]): Pair[] {
  const found = new Map<string, Pair>()
  for (const after of series) {
    // A series of another kind may be from a second visit before the treatment.
    if (after.timePoint === 'pre_op' || after.timePoint === 'other') continue
    for (const photo of after.photos.toReversed()) {
      const key = `${after.shotList} ${photo.view}`
      if (photo.view === 'other' || found.has(key)) continue
      for (const before of series) {
        if (before.timePoint !== 'pre_op' || before.shotList !== after.shotList || before.takenOn > after.takenOn) continue
        const earlier = before.photos.findLast(({ view }) => view === photo.view)
        if (!earlier) continue
        found.set(key, { before: { photo: earlier, series: before }, after: { photo, series: after } })
        break
      }
    }
  }
  // In the order in which the views are taken.
  return [...found.values()].toSorted((one, other) => orderOf(one) - orderOf(other))
}

const orderOf = ({ after }: Pair): number => after.series.photos.indexOf(after.photo)
