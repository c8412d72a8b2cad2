import { expect, it } from 'vitest'
import { followUpChoices } from '../crm/contacts/web/embed/follow-up-choices.ts'

it("counts from today in the practice's time zone, at nine in the morning", () => {
  // In Toronto it is still the 31st, and the clocks go back the night after.
  const choices = followUpChoices({ now: '2026-11-01T02:00:00Z', timeZone: 'America/Toronto' })
  expect(choices.map(({ label, instant }) => [label, instant])).toEqual([
    ['Tomorrow', '2026-11-01T14:00:00.000Z'],
    ['In 3 days', '2026-11-03T14:00:00.000Z'],
    ['In a week', '2026-11-07T14:00:00.000Z'],
    ['In 2 weeks', '2026-11-14T14:00:00.000Z'],
    ['In a month', '2026-11-30T14:00:00.000Z'],
  ])
})
