import { type Clock, formatDateTime } from '../../../../../ui/format.ts'
import { type Entry, lengthOf } from '../grid/entry.ts'
import { formatDuration } from '../times.ts'

/** Time, provider and room of a booking. */
export type Slot = Pick<Entry, 'startsAt' | 'endsAt' | 'providerId' | 'roomId'>

/**
 * Describes a move: 'moved to Thu, Nov 26, 10:15 a.m.'; at the same time 'moved to Dr. Okafor', 'now has no room' or 'now takes 45 min'.
 * `provider`, `room`: the names of those of `after`.
 */
export function formatMoved(before: Slot, after: Slot, provider: string | null, room: string | null, clock: Clock): string {
  if (before.startsAt !== after.startsAt) return `moved to ${formatDateTime(after.startsAt, clock)}`
  if (before.providerId !== after.providerId) return provider === null ? 'now has no provider' : `moved to ${provider}`
  if (before.roomId !== after.roomId) return room === null ? 'now has no room' : `moved to ${room}`
  return `now takes ${formatDuration(lengthOf(after))}`
}
