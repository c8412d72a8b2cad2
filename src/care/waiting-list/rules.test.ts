import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countAt, gapsOf, isSilent, refusedDays, suits } from './rules.ts'
import { describeWish, timesOfWish } from './wish-rules.ts'

const zone = 'America/Toronto'
const anyTime = { weekdays: [], dayParts: [], fromDay: '2026-12-01', toDay: '2026-12-31' }
/** Tuesday, December 1, 2026. */
const at = (time: string) => new Date(`2026-12-01T${time}:00-05:00`)

describe('whether a time suits a patient', () => {
  it.each([
    [anyTime, '10:00', true],
    [{ ...anyTime, weekdays: [2] }, '10:00', true],
    [{ ...anyTime, weekdays: [1, 3] }, '10:00', false],
    [{ ...anyTime, dayParts: ['morning' as const] }, '11:45', true],
    [{ ...anyTime, dayParts: ['morning' as const] }, '12:00', false],
    [{ ...anyTime, dayParts: ['afternoon' as const] }, '12:00', true],
    [{ ...anyTime, dayParts: ['evening' as const] }, '16:45', false],
    [{ ...anyTime, dayParts: ['morning' as const, 'evening' as const] }, '17:00', true],
    [{ ...anyTime, fromDay: '2026-12-02' }, '10:00', false],
    [{ ...anyTime, fromDay: '2026-11-01', toDay: '2026-11-30' }, '10:00', false],
  ])('of %o at %s: %s (issue 29)', (entry, time, expected) => {
    expect(suits(entry, { day: '2026-12-01', time })).toBe(expected)
  })
})

describe('what a patient waits for, as they read it', () => {
  const some = { ...anyTime, weekdays: [4, 1], dayParts: ['evening' as const, 'morning' as const] }
  it.each([
    [anyTime, '2026-12-01', 'en' as const, ['Any day', 'Any time of day', 'Until December 31, 2026']],
    [
      { ...anyTime, weekdays: [1, 2, 3, 4, 5, 6, 7], dayParts: ['evening' as const, 'afternoon' as const, 'morning' as const] },
      '2026-12-01',
      'fr' as const,
      ['N’importe quel jour', 'À toute heure', 'Jusqu’au 31 décembre 2026'],
    ],
    [{ ...anyTime, fromDay: '2026-12-31' }, '2026-12-01', 'en' as const, ['Any day', 'Any time of day', 'On December 31, 2026']],
    [some, '2026-12-02', 'en' as const, ['Monday, Thursday', 'Mornings, evenings', 'Until December 31, 2026']],
    [some, '2026-11-30', 'fr' as const, ['Lundi, jeudi', 'Le matin, le soir', 'Du 1er décembre 2026 au 31 décembre 2026']],
  ])('of %o on %s in %s (issue 29)', (times, today, language, expected) => {
    expect(describeWish({ provider: null, ...timesOfWish(times, today) }, language)).toEqual(expected)
  })
})

it('leaves patients to staff after three offers in a row without an answer; one that was gone does not count (issue 29)', () => {
  const past = (...statuses: ('expired' | 'gone' | 'declined')[]) =>
    statuses.map((status, order) => ({ status, startsAt: at('10:00'), createdAt: new Date(order * 1000) }))
  expect(isSilent(past('expired', 'expired'))).toBe(false)
  expect(isSilent(past('expired', 'gone', 'expired', 'expired', 'gone'))).toBe(true)
  expect(isSilent(past('expired', 'expired', 'declined', 'expired'))).toBe(false)
  expect([...refusedDays(past('gone', 'expired'), zone)]).toEqual(['2026-12-01'])
  expect([...refusedDays(past('gone'), zone)]).toEqual([])
})

it('counts offers of the same provider at the same time (issue 29)', () => {
  const offer = (providerId: string, from: string, to: string) => ({ providerId, startsAt: at(from), endsAt: at(to) })
  const all = [offer('a', '10:00', '10:45'), offer('a', '10:30', '11:15'), offer('b', '10:00', '10:45')]
  expect(countAt(all, offer('a', '10:40', '11:00'))).toBe(2)
  expect(countAt(all, offer('a', '11:15', '12:00'))).toBe(0)
  expect(countAt(all, offer('c', '10:00', '12:00'))).toBe(0)
})

const minutes = fc.integer({ min: 0, max: 200 })
it('joins free times into gaps that have each of them once and do not touch (issue 29)', () => {
  const date = (minute: number) => new Date(minute * 60_000)
  fc.assert(
    fc.property(fc.array(fc.tuple(minutes, fc.integer({ min: 1, max: 30 }))), (spans) => {
      const gaps = gapsOf(spans.map(([from, length], item) => ({ startsAt: date(from), endsAt: date(from + length), item })))
      expect(gaps.flatMap(({ items }) => items).toSorted((a, b) => a - b)).toEqual(spans.map((_, item) => item))
      for (const { startsAt, endsAt, items } of gaps) {
        for (const item of items) {
          const [from, length] = spans[item]!
          expect(date(from) >= startsAt && date(from + length) <= endsAt).toBe(true)
        }
      }
      for (const [place, gap] of gaps.entries()) expect(place === 0 || gaps[place - 1]!.endsAt < gap.startsAt).toBe(true)
    }),
  )
})
