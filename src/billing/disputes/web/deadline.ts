import { type Clock, daysBetween, formatDay, formatLate } from '../../../ui/format.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { needsEvidence } from '../rules.ts'
import type { DisputeData } from './dispute-data.ts'

/** By when evidence has to be there ('By Dec 8, in 4 days'), or why that no longer matters. */
export function formatDeadline(
  { dueBy, status, submittedAt }: Pick<DisputeData, 'dueBy' | 'status' | 'submittedAt'>,
  clock: Clock,
): string {
  if (submittedAt) return `Submitted ${formatDay(dayAt(new Date(submittedAt), clock.timeZone))}`
  if (dueBy === null || !needsEvidence({ status })) return 'No deadline'
  const day = formatDay(dayAt(new Date(dueBy), clock.timeZone))
  return new Date(dueBy) < new Date(clock.now)
    ? `${formatLate(dueBy, clock)} (${day})`
    : `By ${day}, ${formatAhead(-daysBetween(dueBy, clock))}`
}

const formatAhead = (days: number): string => (days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`)
