import type { DashboardData } from './useDashboard.ts'

type Entry = Pick<DashboardData['activity'][number], 'description' | 'metadata'>

/** One-line description: the stages for a stage change, otherwise the text. */
export function inOneLine({ description, metadata }: Entry, stages: readonly { id: string; name: string }[]): string {
  const [from, to] = [metadata?.from, metadata?.to].map((id) => stages.find((stage) => stage.id === id))
  return from && to ? `${from.name} to ${to.name}` : description
}
