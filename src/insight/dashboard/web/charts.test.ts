import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOneLine } from './activity-text.ts'
import { type StageFigures, stepsOf } from './funnel.ts'
import { slicesOfSources } from './source-slices.ts'

describe('source colours (spec 9)', () => {
  const many = (length: number) => Array.from({ length }, (_, i) => ({ group: `Source ${i}`, count: 100 - i }))

  it('gives up to nine sources their own colour in order; Unknown is last with the tenth', () => {
    const slices = slicesOfSources([{ group: 'Unknown', count: 500 }, ...many(9)])
    expect(slices.map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(slices.at(-1)).toEqual({ name: 'Unknown', count: 500, colour: 10, filter: 'source-group:Unknown' })
  })

  it('merges the smallest of more sources into one slice that opens all of them', () => {
    const slices = slicesOfSources([...many(11), { group: 'Unknown', count: 1 }])
    expect(slices.map(({ name }) => name).slice(7)).toEqual(['Source 7', '3 other sources', 'Unknown'])
    expect(slices[8]).toMatchObject({ count: 92 + 91 + 90, colour: 9, filter: 'source-group:Source 8,Source 9,Source 10' })
    expect(slicesOfSources(many(200))[8]?.filter).toBe(null) // exceeds the filter limit
  })

  it('includes everyone', () => {
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

it('counts patients in a stage or beyond, and lost leads separately', () => {
  const steps = stepsOf([stage('a', 'open', 5), stage('b', 'open', 2), stage('c', 'won', 1), stage('d', 'lost', 4)])
  expect(steps.map(({ stage: { id }, reached, before }) => [id, reached, before])).toEqual([
    ['a', 8, null],
    ['b', 3, 8],
    ['c', 1, 3],
    ['d', 4, null],
  ])
})

describe('describes activity in one line', () => {
  const stages = [stage('a', 'open', 0), stage('b', 'open', 0)]
  it.each([
    [{ from: 'a', to: 'b' }, 'A to B'],
    [{ from: 'a', to: 'gone' }, 'as written'],
    [null, 'as written'],
  ])('%o: %s', (metadata, text) => {
    expect(inOneLine({ description: 'as written', metadata }, stages)).toBe(text)
  })
})
