import { describe, expect, test } from 'vitest'
import { nextSurgery } from './next-surgery.ts'

const now = '2026-11-27T12:00:00Z'
const surgery = (id: string, startsAt: string, procedure: string, status = 'confirmed') => ({
  id,
  status,
  startsAt,
  procedures: [{ id: procedure }],
})
const surgeries = [
  surgery('later', '2027-03-01T13:00:00Z', 'otoplasty'),
  surgery('next', '2027-02-01T13:00:00Z', 'otoplasty', 'tentative'),
  surgery('cancelled', '2027-01-01T13:00:00Z', 'otoplasty', 'cancelled'),
  surgery('other', '2026-12-01T13:00:00Z', 'facelift'),
  surgery('past', '2026-11-01T13:00:00Z', 'otoplasty'),
]

describe('the surgery that a consent form is proposed for (issue 26)', () => {
  test.each([
    ['the next booked one with its procedure', { use: 'procedures', procedureIds: ['otoplasty'] }, 'next'],
    ['the next booked one, if every surgery requires it', { use: 'every_surgery', procedureIds: [] }, 'other'],
    ['none, if no booked one has its procedure', { use: 'procedures', procedureIds: ['rhinoplasty'] }, null],
    ['none for the use of photos', { use: 'photos', procedureIds: [] }, null],
    ['none before a form is chosen', undefined, null],
  ] as const)('is %s', (_, template, id) =>
    expect(nextSurgery(surgeries, template && { ...template, procedureIds: [...template.procedureIds] }, now)).toBe(id),
  )
})
