import { describe, expect, it } from 'vitest'
import { dayProblem, draftOf, hoursOf } from './hours-draft.ts'

const monday = { weekday: 1, opens: '08:30', closes: '16:30' }

describe('practice hours form', () => {
  it('shows all seven days, with the times of an open day proposed for closed days', () => {
    const draft = draftOf([monday])
    expect(draft.map(({ weekday }) => weekday)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(draft[0]).toEqual({ ...monday, isOpen: true })
    expect(draft[6]).toEqual({ ...monday, weekday: 7, isOpen: false })
    expect(draftOf([])[0]).toEqual({ weekday: 1, opens: '09:00', closes: '17:00', isOpen: false })
  })

  it('keeps only the open days', () => {
    expect(hoursOf(draftOf([monday]))).toEqual([monday])
  })

  it.each([
    ['08:30', '', 'Enter both times'],
    ['', '16:30', 'Enter both times'],
    ['16:30', '16:30', 'Closing time must be after opening time'],
    ['08:30', '16:30', undefined],
  ])('checks %s to %s: %s', (opens, closes, problem) => {
    expect(dayProblem({ weekday: 1, opens, closes, isOpen: true })).toBe(problem)
  })

  it('accepts empty times for a closed day', () => {
    expect(dayProblem({ weekday: 1, opens: '', closes: '', isOpen: false })).toBeUndefined()
  })
})
