import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversionOf, groupSources, periodsUntil } from './rules.ts'

describe('spec 9: conversion', () => {
  it.each([
    [0, 0, 0],
    [3, 2, 67],
    [3, 1, 33],
    [200, 1, 1],
    [201, 1, 0],
    [7, 7, 100],
  ])('of %i leads, %i booked: %i%%', (total, booked, rate) => {
    expect(conversionOf(total, booked).rate).toBe(rate)
  })
})

it('the periods are whole days that end today; those before are as long, and end where they begin', () => {
  expect(periodsUntil('2026-03-10')).toEqual({
    week: '2026-03-04',
    weekBefore: '2026-02-25',
    month: '2026-02-09',
    monthBefore: '2026-01-10',
    end: '2026-03-11',
  })
})

describe('spec 9: display groups of counts', () => {
  it('are one where they are called the same, however they are written', () => {
    const said = [
      { said: 'google_cpc', count: 2 },
      { said: 'Google Ads', count: 3 },
      { said: null, count: 4 },
      { said: '  ', count: 1 },
      { said: 'gone', count: 0 },
    ]
    expect(groupSources(said)).toEqual([
      { group: 'Google CPC', count: 5 },
      { group: 'Unknown', count: 5 },
    ])
  })

  it('lose no one and stand in order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ said: fc.option(fc.string()), count: fc.nat(1000) })), (said) => {
        const groups = groupSources(said)
        const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)
        expect(sum(groups)).toBe(sum(said))
        expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).toSorted((a, b) => b - a))
        expect(new Set(groups.map(({ group }) => group)).size).toBe(groups.length)
      }),
    )
  })
})
