import type { Client } from '../../../ui/client/api.ts'
import type { BadgeTone } from '../../../ui/display/Badge.tsx'

/** A check-in as the API returns it: instants are ISO strings. */
export type CheckInData = Awaited<ReturnType<Client['checkIns']['ofSurgery']>>[number]
export type ScheduleData = Awaited<ReturnType<Client['checkIns']['schedules']>>[number]

/** 'Day 1' */
export const formatCheckInDay = ({ day }: Pick<CheckInData, 'day'>): string => `Day ${day}`

export function formatCheckIn({ state, escalatedAt, remindedAt, redFlagCount }: CheckInData): { label: string; tone: BadgeTone } {
  switch (state) {
    case 'planned':
      return { label: 'Planned', tone: 'neutral' }
    case 'skipped':
      return { label: 'Not sent', tone: 'neutral' }
    case 'stopped':
      return { label: 'Stopped', tone: 'neutral' }
    case 'call':
      return { label: 'Not sent: call', tone: 'warning' }
    case 'missed':
      return { label: 'Not answered', tone: 'warning' }
    case 'sent':
      return escalatedAt ? { label: 'Not answered: call', tone: 'warning' } : { label: remindedAt ? 'Reminded' : 'Sent', tone: 'info' }
    case 'answered':
      return redFlagCount
        ? { label: redFlagCount === 1 ? '1 red flag' : `${redFlagCount} red flags`, tone: 'danger' }
        : { label: 'Answered', tone: 'success' }
  }
}

/** '1, 3, 7 and 30 days after' */
export const formatDays = (days: readonly number[]): string =>
  `${new Intl.ListFormat('en-CA').format(days.map(String))} ${days.length === 1 && days[0] === 1 ? 'day' : 'days'} after`

/** Days as they are typed: '1, 3, 7, 30'. Null: not whole numbers. */
export function parseDays(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  return parts.every((part) => /^\d{1,3}$/.test(part)) ? parts.map(Number) : null
}
