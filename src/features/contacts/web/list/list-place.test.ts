import { expect, it } from 'vitest'
import { positionOf } from './list-place.ts'

const place = { search: {}, ids: ['a', 'b'], before: 50, total: 1000, totalIsExact: false, current: null }

it('counts from the first row of the first page', () => {
  expect(positionOf('b', place)).toEqual({ position: 52, total: 1000, totalIsExact: false })
})

it('knows nothing of a patient who was not on the page, or before there was a list', () => {
  expect(positionOf('c', place)).toBeNull()
  expect(positionOf('a', null)).toBeNull()
})
