import { expect, it } from 'vitest'
import { formatDeadline } from './deadline.ts'

const clock = { now: '2026-11-29T15:00:00Z', timeZone: 'America/Toronto' }
const deadline = (dueBy: string) => formatDeadline({ dueBy, status: 'needs_response', submittedAt: null }, clock)

it('says in how many days evidence is due (issue 29)', () => {
  expect(deadline('2026-12-03T15:00:00Z')).toMatch(/^By .*3.*, in 4 days$/)
  expect(deadline('2026-11-30T23:00:00Z')).toMatch(/, tomorrow$/)
  expect(deadline('2026-11-29T23:00:00Z')).toMatch(/, today$/)
  expect(deadline('2026-11-27T15:00:00Z')).toMatch(/^2 days late/)
})
