import { type Clock, formatDue } from '../../../../ui/format.ts'

/** 'Snoozed until 11:43 p.m.', 'Snoozed until tomorrow, 12:05 a.m.' */
export const formatSnooze = (until: string, clock: Clock): string =>
  `Snoozed until ${formatDue(until, clock)
    .replace(/^Today, /, '')
    .replace(/^Tomorrow/, 'tomorrow')}`

/** Whether a snooze is still running. */
export const isSnoozed = (until: string | null, clock: Clock): until is string =>
  until !== null && Date.parse(until) > new Date(clock.now).getTime()
