import type { Entry } from '../../calendar/web/embed/entry.ts'
import { coming, type ShownStatus } from '../rules.ts'
import { patientName, type SurgeryInList } from './surgery-data.ts'

/** By what has become of a case: its ground and ink, and its edge. What is over, or off, steps back. */
export const statusStyles: Record<ShownStatus, { face: string; edge: string }> = {
  tentative: { face: 'border border-dashed border-line-2 bg-hover text-fg-2', edge: 'bg-chart-10' },
  confirmed: { face: 'bg-tint-3-soft text-tint-3', edge: 'bg-chart-3' },
  ready: { face: 'bg-tint-1-soft text-tint-1', edge: 'bg-chart-1' },
  completed: { face: 'bg-hover text-fg-2', edge: 'bg-chart-10' },
  postponed: { face: 'border border-dashed border-line-2 bg-surface text-fg-3', edge: 'bg-chart-4' },
  cancelled: { face: 'border border-dashed border-line-2 bg-surface text-fg-3', edge: 'bg-chart-10' },
}

/** A case as the calendar takes it. */
export function entryOf(surgery: SurgeryInList): Entry {
  const { id, startsAt, endsAt, surgeonId, roomId, status, shownStatus } = surgery
  const ground = statusStyles[shownStatus].face
  return { id, title: patientName(surgery), startsAt, endsAt, providerId: surgeonId, roomId, isMovable: coming.includes(status), ground }
}
