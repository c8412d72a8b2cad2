import { expect, it } from 'vitest'
import { bodyViews } from '../../rules.ts'
import { regionAt, regions } from './regions.ts'

it('names each area of an outline by its own point', () => {
  for (const view of bodyViews) for (const region of regions[view]) expect([view, regionAt(view, region)]).toEqual([view, region.name])
  expect(regionAt('front', { x: 670, y: 205 })).toBe('shoulders')
})
