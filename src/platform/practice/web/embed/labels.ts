import type { RoomKind } from '../../rules.ts'

export const kindLabels: Record<RoomKind, string> = {
  consult: 'Consults',
  treatment: 'Treatments',
  operating: 'Operations',
}

/** Indexed by weekday minus one. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
