import type { Problems } from './useBookingForm.ts'

/** When and how long a booking is, as it is typed: what is empty is ''. */
export interface TimeValues {
  day: string
  time: string
  minutes: string
}

/** Minutes that one may take. */
type Range = readonly [shortest: number, longest: number]

/** Null unless it is a number of minutes that one may take. */
export function typedMinutes(text: string, [shortest, longest]: Range): number | null {
  const typed = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
  return typed >= shortest && typed <= longest ? typed : null
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export function timeProblems({ day, time, minutes }: TimeValues, range: Range): Problems<TimeValues> {
  const [shortest, longest] = range
  return {
    ...(!isDay(day) && { day: 'Choose a day' }),
    ...(time === '' && { time: 'Choose a time' }),
    ...(typedMinutes(minutes, range) === null && {
      minutes: Number(minutes) > longest ? `At most ${longest / 60} hours` : `At least ${shortest} minutes`,
    }),
  }
}

export const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** Of what is to be sent, what was changed: what someone else has changed in the meantime is not taken back. */
export function changedOf<Values extends TimeValues, Sent extends object>(
  values: Values,
  base: Values,
  sentOf: (values: Values) => Sent,
): Partial<Sent> {
  const [sent, before] = [sentOf(values), sentOf(base)]
  const changed = (Object.keys(sent) as (keyof Sent)[]).filter((key) => JSON.stringify(sent[key]) !== JSON.stringify(before[key]))
  // The second of two hours that the clocks show twice looks like the first: the moment moves only if what is shown does.
  const keepsStart = values.day === base.day && values.time === base.time
  return Object.fromEntries(changed.filter((key) => key !== 'startsAt' || !keepsStart).map((key) => [key, sent[key]])) as Partial<Sent>
}
