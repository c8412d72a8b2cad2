import { type Clock, formatDateTime } from '../../../../../ui/format.ts'
import { type Entry, lengthOf } from '../entry.ts'
import { formatDuration } from '../times.ts'

/** Where and when something takes place. */
export type Placed = Pick<Entry, 'startsAt' | 'endsAt' | 'providerId' | 'roomId'>

/**
 * What a move has changed: 'moved to Thu, Nov 26, 10:15 a.m.', at the same time 'moved to Dr. Okafor', 'has no room now', 'takes 45 min now'.
 * `provider`, `room`: what those of `after` are called.
 */
export function formatMoved(before: Placed, after: Placed, provider: string | null, room: string | null, clock: Clock): string {
  if (before.startsAt !== after.startsAt) return `moved to ${formatDateTime(after.startsAt, clock)}`
  if (before.providerId !== after.providerId) return provider === null ? 'has no provider now' : `moved to ${provider}`
  if (before.roomId !== after.roomId) return room === null ? 'has no room now' : `moved to ${room}`
  return `takes ${formatDuration(lengthOf(after))} now`
}
