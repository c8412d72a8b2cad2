import { expect, it } from 'vitest'
import { rememberRecent } from './recent.ts'

it('returns recent events within the retention limits (spec 9)', () => {
  let now = 1000
  const recent = rememberRecent<string>({ keepFor: 100, maxEvents: 3, now: () => now })
  const at = (time: number, ...things: string[]) => {
    now = time
    for (const thing of things) recent.add(thing)
  }
  at(1010, 'a')
  at(1020, 'b')
  expect(recent.within(5)).toEqual(['b'])
  expect(recent.within(10)).toEqual(['a', 'b'])
  expect(recent.within(20)).toBeNull() // reaches back before the start
  at(1125, 'c') // a and b have expired
  expect(recent.within(100)).toEqual(['c'])
  expect(recent.within(105)).toBeNull()
  at(1130, 'd', 'e', 'f') // c exceeds the maximum count
  expect(recent.within(1)).toEqual(['d', 'e', 'f'])
  expect(recent.within(5)).toBeNull()
})
