import type { AppointmentType } from '../rules.ts'

/** By the kind of an appointment: its ground and ink, its edge, and the swatch of the legend. */
export const typeLooks: Record<AppointmentType, { face: string; edge: string }> = {
  consult: { face: 'bg-tint-1-soft text-tint-1', edge: 'bg-chart-1' },
  pre_op: { face: 'bg-tint-4-soft text-tint-4', edge: 'bg-chart-4' },
  post_op: { face: 'bg-tint-2-soft text-tint-2', edge: 'bg-chart-2' },
  follow_up: { face: 'bg-tint-3-soft text-tint-3', edge: 'bg-chart-3' },
  treatment: { face: 'bg-tint-5-soft text-tint-5', edge: 'bg-chart-5' },
  other: { face: 'bg-active text-fg-2', edge: 'bg-chart-10' },
}
