import { expect, it } from 'vitest'
import { blankItem, itemProblems, itemValuesOf, sentItem } from './item-values.ts'

it.each([
  [{ words: ' ' }, { words: 'Say what has to be done' }],
  [{ days: '0' }, { days: 'Enter a number of days from 1 to 365' }],
  [{ days: '366' }, { days: 'Enter a number of days from 1 to 365' }],
  [{ days: 'x', when: 'day' as const }, {}],
  [{}, {}],
])('issue 8: an item of a checklist, %j: %j', (given, problems) => {
  expect(itemProblems({ ...blankItem, words: 'Driver', ...given })).toEqual(problems)
})

it.each([-14, 0, 7])('issue 8: days are typed before, on or after the day of surgery: %i', (dueDays) => {
  const item = { words: 'Driver', kind: 'driver' as const, ownerRole: 'front_desk' as const, dueDays, isRequired: false }
  expect(sentItem(itemValuesOf(item))).toEqual(item)
})
