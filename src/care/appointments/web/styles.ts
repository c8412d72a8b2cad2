import type { Entry } from '../../calendar/web/embed/grid/entry.ts'
import { type AppointmentType, upcomingStatuses } from '../rules.ts'
import { type AppointmentData, patientName } from './appointment-data.ts'

/** Colours by type: `face` is background and text, `edge` the bar of the event and of the legend. */
export const typeStyles: Record<AppointmentType, { face: string; edge: string }> = {
  consult: { face: 'bg-tint-1-soft text-tint-1', edge: 'bg-chart-1' },
  pre_op: { face: 'bg-tint-4-soft text-tint-4', edge: 'bg-chart-4' },
  post_op: { face: 'bg-tint-2-soft text-tint-2', edge: 'bg-chart-2' },
  follow_up: { face: 'bg-tint-3-soft text-tint-3', edge: 'bg-chart-3' },
  treatment: { face: 'bg-tint-5-soft text-tint-5', edge: 'bg-chart-5' },
  other: { face: 'bg-active text-fg-2', edge: 'bg-chart-10' },
}

/** An appointment as a calendar entry. */
export function entryOf(appointment: AppointmentData): Entry {
  const { id, startsAt, endsAt, providerId, roomId, status } = appointment
  const isMovable = upcomingStatuses.includes(status)
  return { id, title: patientName(appointment), startsAt, endsAt, providerId, roomId, isMovable, colors: colorsOf(appointment) }
}

/** Colours by type; muted if completed, missed or cancelled. */
function colorsOf({ type, status }: AppointmentData): string {
  if (status === 'no_show' || status === 'cancelled') return 'border border-dashed border-line-2 bg-surface text-fg-3'
  return status === 'completed' ? 'bg-hover text-fg-2' : typeStyles[type].face
}
