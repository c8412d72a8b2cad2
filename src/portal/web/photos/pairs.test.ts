import { describe, expect, it } from 'vitest'
import { pairsOf, type SeriesData } from './pairs.ts'

const series = (timePoint: SeriesData['timePoint'], takenOn: string, views: string[], shotList: SeriesData['shotList'] = 'nose') =>
  ({
    id: `${timePoint} ${takenOn}`,
    shotList,
    timePoint,
    takenOn,
    photos: views.map((view, place) => ({ id: `${takenOn} ${view} ${place}`, view: view as 'front', fileUrl: '' })),
  }) satisfies SeriesData
const idsOf = (given: SeriesData[]) => pairsOf(given).map(({ before, after }) => [before.photo.id, after.photo.id])

describe('pairs before and after in the portal (issue 27)', () => {
  it('are the newest result of a view beside the last photo before it, in the order of the views', () => {
    expect(
      idsOf([
        series('year_1', '2026-10-01', ['front']),
        series('month_3', '2026-01-01', ['front', 'base']),
        series('pre_op', '2025-10-01', ['front', 'base']),
        series('pre_op', '2025-09-01', ['front']),
      ]),
    ).toEqual([
      ['2025-10-01 front 0', '2026-10-01 front 0'],
      ['2025-10-01 base 1', '2026-01-01 base 1'],
    ])
  })

  it('are of one part of the body, of one named view, and never of a result from before the photo', () => {
    expect(idsOf([series('week_1', '2026-02-01', ['front']), series('pre_op', '2026-01-01', ['front'], 'face')])).toEqual([])
    expect(idsOf([series('week_1', '2026-02-01', ['other']), series('pre_op', '2026-01-01', ['other'])])).toEqual([])
    expect(idsOf([series('pre_op', '2026-02-01', ['front']), series('week_1', '2026-01-01', ['front'])])).toEqual([])
    expect(idsOf([series('week_1', '2026-02-01', ['base']), series('pre_op', '2026-01-01', ['front'])])).toEqual([])
  })

  it('show the last of several photos of one view', () => {
    expect(idsOf([series('week_1', '2026-02-01', ['front', 'front']), series('pre_op', '2026-01-01', ['front', 'front'])])).toEqual([
      ['2026-01-01 front 1', '2026-02-01 front 1'],
    ])
  })
})
