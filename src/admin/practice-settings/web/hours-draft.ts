import type { DayHours } from '../../../platform/practice/rules.ts'
import { weekdays } from '../../../platform/practice/web/embed/labels.ts'

/** One day of the week as it stands in the form: the times of a closed one wait there. */
export interface DayDraft extends DayHours {
  isOpen: boolean
}

const usual = { opens: '09:00', closes: '17:00' }

/** All seven days. A closed one proposes the times of the first open one. */
export function draftOf(hours: readonly DayHours[]): DayDraft[] {
  const { opens, closes } = hours[0] ?? usual
  return weekdays.map((_, index) => {
    const open = hours.find(({ weekday }) => weekday === index + 1)
    return open ? { ...open, isOpen: true } : { weekday: index + 1, opens, closes, isOpen: false }
  })
}

export const hoursOf = (draft: readonly DayDraft[]): DayHours[] =>
  draft.filter(({ isOpen }) => isOpen).map(({ weekday, opens, closes }) => ({ weekday, opens, closes }))

/** What is wrong with a day; undefined when nothing is. */
export function dayProblem({ isOpen, opens, closes }: DayDraft): string | undefined {
  if (!isOpen) return undefined
  if (opens === '' || closes === '') return 'Enter both times'
  return opens < closes ? undefined : 'It closes after it opens'
}
