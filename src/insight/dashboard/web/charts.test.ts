import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOneLine } from './activity-text.ts'
import { type StageFigures, stepsOf } from './funnel.ts'
import { slicesOfSources } from './source-slices.ts'

describe('spec 9: ten colours', () => {
  const many = (length: number) => Array.from({ length }, (_, i) => ({ group: `Source ${i}`, count: 100 - i }))

  it('nine sources have one each, in order; Unknown is the last and has the tenth, however many there are', () => {
    const slices = slicesOfSources([{ group: 'Unknown', count: 500 }, ...many(9)])
    expect(slices.map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(slices.at(-1)).toEqual({ name: 'Unknown', count: 500, colour: 10, filter: 'source-group:Unknown' })
  })

  it('of more, the smallest are one slice together, which opens all of them', () => {
    const slices = slicesOfSources([...many(11), { group: 'Unknown', count: 1 }])
    expect(slices.map(({ name }) => name).slice(7)).toEqual(['Source 7', '3 other sources', 'Unknown'])
    expect(slices[8]).toMatchObject({ count: 92 + 91 + 90, colour: 9, filter: 'source-group:Source 8,Source 9,Source 10' })
    expect(slicesOfSources(many(200))[8]?.filter).toBe(null) // more than an address takes
  })

  it('no one is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 40 }), (counts) => {
        const slices = slicesOfSources(counts.map((count, i) => ({ group: i === 3 ? 'Unknown' : `S${i}`, count })))
        const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
        expect(sum(slices.map(({ count }) => count))).toBe(sum(counts))
        expect(slices.length).toBeLessThanOrEqual(10)
      }),
    )
  })
})

const stage = (id: string, kind: StageFigures['kind'], count: number) => ({ id, kind, count, name: id.toUpperCase() }) as StageFigures

it('the funnel counts who is in a stage or further on; lost leads stand by themselves', () => {
  const steps = stepsOf([stage('a', 'open', 5), stage('b', 'open', 2), stage('c', 'won', 1), stage('d', 'lost', 4)])
  expect(steps.map(({ stage: { id }, reached, before }) => [id, reached, before])).toEqual([
    ['a', 8, null],
    ['b', 3, 8],
    ['c', 1, 3],
    ['d', 4, null],
  ])
})

describe('what happened, in a line', () => {
  const stages = [stage('a', 'open', 0), stage('b', 'open', 0)]
  it.each([
    [{ from: 'a', to: 'b' }, 'A to B'],
    [{ from: 'a', to: 'gone' }, 'as written'],
    [null, 'as written'],
  ])('%o: %s', (metadata, text) => {
    expect(inOneLine({ description: 'as written', metadata }, stages)).toBe(text)
  })
})
