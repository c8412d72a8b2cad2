import type { RoomKind } from '../../rules.ts'

export const kindLabels: Record<RoomKind, string> = {
  consult: 'Consults',
  treatment: 'Treatments',
  operating: 'Operations',
}

/** By the number of the weekday less one. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
