import type { Problems } from './useBookingForm.ts'

/** Date, time and duration of a booking as typed; empty text is ''. */
export interface TimeValues {
  day: string
  time: string
  minutes: string
}

/** The allowed duration in minutes. */
type Range = readonly [min: number, max: number]

/** The typed duration in minutes; null unless it is within the range. */
export function parseMinutes(text: string, [min, max]: Range): number | null {
  const typed = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
  return typed >= min && typed <= max ? typed : null
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export function timeProblems({ day, time, minutes }: TimeValues, range: Range): Problems<TimeValues> {
  const [min, max] = range
  return {
    ...(!isDay(day) && { day: 'Choose a day' }),
    ...(time === '' && { time: 'Choose a time' }),
    ...(parseMinutes(minutes, range) === null && {
      minutes: Number(minutes) > max ? `At most ${max / 60} hours` : `At least ${min} minutes`,
    }),
  }
}

export const blankToNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** Only the changed fields of the input, so that saving does not revert changes that someone else made. */
export function changedFields<Values extends TimeValues, Input extends object>(
  values: Values,
  base: Values,
  toInput: (values: Values) => Input,
): Partial<Input> {
  const [input, before] = [toInput(values), toInput(base)]
  const changed = (Object.keys(input) as (keyof Input)[]).filter((key) => JSON.stringify(input[key]) !== JSON.stringify(before[key]))
  // When the clocks repeat an hour, both look the same in the form: keep the instant unless date or time was edited.
  const keepsStart = values.day === base.day && values.time === base.time
  return Object.fromEntries(changed.filter((key) => key !== 'startsAt' || !keepsStart).map((key) => [key, input[key]])) as Partial<Input>
}
