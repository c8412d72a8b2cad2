import { describe, expect, it } from 'vitest'
import { dayProblem, draftOf, hoursOf } from './hours-draft.ts'

const monday = { weekday: 1, opens: '08:30', closes: '16:30' }

describe('issue 8: practice hours in their form', () => {
  it('shows all seven days, and a closed one proposes the times of an open one', () => {
    const draft = draftOf([monday])
    expect(draft.map(({ weekday }) => weekday)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(draft[0]).toEqual({ ...monday, isOpen: true })
    expect(draft[6]).toEqual({ ...monday, weekday: 7, isOpen: false })
    expect(draftOf([])[0]).toEqual({ weekday: 1, opens: '09:00', closes: '17:00', isOpen: false })
  })

  it('keeps the open days alone', () => {
    expect(hoursOf(draftOf([monday]))).toEqual([monday])
  })

  it.each([
    ['08:30', '', 'Enter both times'],
    ['', '16:30', 'Enter both times'],
    ['16:30', '16:30', 'It closes after it opens'],
    ['08:30', '16:30', undefined],
  ])('from %s to %s: %s', (opens, closes, problem) => {
    expect(dayProblem({ weekday: 1, opens, closes, isOpen: true })).toBe(problem)
  })

  it('asks nothing of a closed day', () => {
    expect(dayProblem({ weekday: 1, opens: '', closes: '', isOpen: false })).toBeUndefined()
  })
})
