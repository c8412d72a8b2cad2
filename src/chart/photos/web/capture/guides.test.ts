import { describe, expect, it } from 'vitest'
import { shotListNames, shotLists } from '../../rules.ts'
import { guideOf } from './guides.ts'

describe('the standard outline', () => {
  const all = shotListNames.flatMap((list) => shotLists[list].views.map((view) => [list, view] as const))
  it.each(all)('of %s, %s is there (issue 27)', (list, view) => {
    expect(guideOf(list, view)).toMatchObject({ path: expect.stringMatching(/^M/), viewBox: expect.any(String) })
  })

  it('of the other side is its mirror image (issue 27)', () => {
    for (const [list, view] of all.filter(([, one]) => one.startsWith('left'))) {
      const [left, right] = [guideOf(list, view)!, guideOf(list, view.replace('left', 'right') as typeof view)!]
      expect(right).toEqual({ ...left, isMirrored: !left.isMirrored })
    }
    expect(guideOf('other', 'front')).toBeNull()
  })
})
