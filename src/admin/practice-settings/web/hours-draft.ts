import type { DayHours } from '../../../platform/practice/rules.ts'
import { weekdays } from '../../../platform/practice/web/embed/labels.ts'

/** One day of the week in the form; a closed day keeps its times. */
export interface DayDraft extends DayHours {
  isOpen: boolean
}

const defaultTimes = { opens: '09:00', closes: '17:00' }

/** All seven days. Closed days propose the times of the first open day. */
export function draftOf(hours: readonly DayHours[]): DayDraft[] {
  const { opens, closes } = hours[0] ?? defaultTimes
  return weekdays.map((_, index) => {
    const open = hours.find(({ weekday }) => weekday === index + 1)
    return open ? { ...open, isOpen: true } : { weekday: index + 1, opens, closes, isOpen: false }
  })
}

export const hoursOf = (draft: readonly DayDraft[]): DayHours[] =>
  draft.filter(({ isOpen }) => isOpen).map(({ weekday, opens, closes }) => ({ weekday, opens, closes }))

/** The error message for a day; undefined if it is valid. */
export function dayProblem({ isOpen, opens, closes }: DayDraft): string | undefined {
  if (!isOpen) return undefined
  if (opens === '' || closes === '') return 'Enter both times'
  return opens < closes ? undefined : 'Closing time must be after opening time'
}
