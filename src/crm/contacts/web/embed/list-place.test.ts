import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ListPlace, movedTo, neighbourOf, positionOf, withPage } from './list-place.ts'
import { pageSize } from './list-search.ts'

const place = { search: {}, ids: ['a', 'b'], before: 50, total: 1000, totalIsExact: false, current: null }

it('counts from the first row of the first page', () => {
  expect(positionOf('b', place)).toEqual({ position: 52, total: 1000, totalIsExact: false })
})

it('returns null for a patient who was not on the page, or before the list was opened', () => {
  expect(positionOf('c', place)).toBeNull()
  expect(positionOf('a', null)).toBeNull()
})

/** Steps to the end, as the patient page does; `list` returns the current ids of a page of the list. */
function walk(from: string, by: 1 | -1, place: ListPlace, list: (page: number) => string[]): { seen: string[]; place: ListPlace } {
  const seen = [from]
  for (;;) {
    const at = seen.at(-1) ?? from
    let next = neighbourOf(at, by, place)
    if (typeof next === 'number') {
      place = withPage(place, next, list(next))
      next = neighbourOf(at, by, place)
    }
    if (typeof next !== 'string') return { seen, place }
    place = movedTo(next, place)
    seen.push(next)
  }
}

const everyone = fc.integer({ min: 1, max: 4 * pageSize }).map((count) => Array.from({ length: count }, (_, i) => `patient ${i}`))
const opened = everyone.chain((all) => fc.record({ all: fc.constant(all), at: fc.nat(all.length - 1) }))

it('steps through the whole list in order, across pages, and back', () => {
  fc.assert(
    fc.property(opened, ({ all, at }) => {
      const pageOf = (page: number) => all.slice((page - 1) * pageSize, page * pageSize)
      const page = Math.floor(at / pageSize) + 1
      const before = (page - 1) * pageSize
      const start = {
        search: {},
        ids: pageOf(page),
        before,
        total: all.length,
        totalIsExact: true,
        current: all[at]!,
        scrolled: { top: at * 44, rowHeight: 44 },
      }
      const down = walk(all[at]!, 1, start, pageOf)
      expect(down.seen).toEqual(all.slice(at))
      const up = walk(down.seen.at(-1)!, -1, down.place, pageOf)
      expect(up.seen).toEqual(all.toReversed())
      expect(up.place).toMatchObject({ current: all[0], scrolled: { top: 0 } })
      for (const [index, id] of all.entries()) expect(positionOf(id, up.place)?.position).toBe(index + 1)
    }),
    { numRuns: 30 },
  )
})

it('visits no one twice when patients are added above', () => {
  const all = Array.from({ length: 2 * pageSize }, (_, i) => `patient ${i}`)
  const grown = ['new', ...all]
  const start = {
    search: {},
    ids: all.slice(0, pageSize),
    before: 0,
    total: all.length,
    totalIsExact: true,
    current: all[0]!,
    scrolled: { top: 0, rowHeight: 44 },
  }
  const { seen } = walk(all[0]!, 1, start, (page) => grown.slice((page - 1) * pageSize, page * pageSize))
  expect(new Set(seen).size).toBe(seen.length)
})

it('stops at the end of a board column', () => {
  const column = { search: {}, ids: ['a', 'b'], before: 0, total: 900, totalIsExact: true, current: 'a' }
  expect(neighbourOf('a', 1, column)).toBe('b')
  expect(neighbourOf('b', 1, column)).toBeNull()
})
