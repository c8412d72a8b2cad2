import { expect, it } from 'vitest'
import { blankItem, itemProblems, itemValuesOf, toItem } from './item-values.ts'

it.each([
  [{ words: ' ' }, { words: 'Describe what has to be done' }],
  [{ days: '0' }, { days: 'Enter a number of days from 1 to 365' }],
  [{ days: '366' }, { days: 'Enter a number of days from 1 to 365' }],
  [{ days: 'x', when: 'day' as const }, {}],
  [{}, {}],
])('validates a checklist item, %j: %j', (given, problems) => {
  expect(itemProblems({ ...blankItem, words: 'Driver', ...given })).toEqual(problems)
})

it.each([-14, 0, 7])('converts days before, on or after the surgery: %i', (dueDays) => {
  const item = { words: 'Driver', kind: 'driver' as const, ownerRole: 'front_desk' as const, dueDays, isRequired: false }
  expect(toItem(itemValuesOf(item))).toEqual(item)
})
