import type { Entry } from '../../calendar/web/embed/grid/entry.ts'
import { upcomingStatuses, type ShownStatus } from '../rules.ts'
import { patientName, type SurgeryInList } from './surgery-data.ts'

/** Colours by status: `face` is background and text, `edge` the bar. Completed, postponed and cancelled cases are muted. */
export const statusStyles: Record<ShownStatus, { face: string; edge: string }> = {
  tentative: { face: 'border border-dashed border-line-2 bg-hover text-fg-2', edge: 'bg-chart-10' },
  confirmed: { face: 'bg-tint-3-soft text-tint-3', edge: 'bg-chart-3' },
  ready: { face: 'bg-tint-1-soft text-tint-1', edge: 'bg-chart-1' },
  completed: { face: 'bg-hover text-fg-2', edge: 'bg-chart-10' },
  postponed: { face: 'border border-dashed border-line-2 bg-surface text-fg-3', edge: 'bg-chart-4' },
  cancelled: { face: 'border border-dashed border-line-2 bg-surface text-fg-3', edge: 'bg-chart-10' },
}

/** A case as a calendar entry. */
export function entryOf(surgery: SurgeryInList): Entry {
  const { id, startsAt, endsAt, surgeonId, roomId, status, shownStatus } = surgery
  const colors = statusStyles[shownStatus].face
  return {
    id,
    title: patientName(surgery),
    startsAt,
    endsAt,
    providerId: surgeonId,
    roomId,
    isMovable: upcomingStatuses.includes(status),
    colors,
  }
}
