import { expect, it } from 'vitest'
import { rememberRecent } from './recent.ts'

it('remembers recent events as far back as they are kept (spec 9)', () => {
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
  expect(recent.within(20)).toBeNull() // what was before the beginning is not known
  at(1125, 'c') // a and b are too old
  expect(recent.within(100)).toEqual(['c'])
  expect(recent.within(105)).toBeNull()
  at(1130, 'd', 'e', 'f') // c is one too many
  expect(recent.within(1)).toEqual(['d', 'e', 'f'])
  expect(recent.within(5)).toBeNull()
})
