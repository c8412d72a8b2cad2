import type { DashboardData } from './useDashboard.ts'

type Entry = Pick<DashboardData['activity'][number], 'description' | 'metadata'>

/** What happened, in one line: of a move from stage to stage, which ones; else what was written. */
export function inOneLine({ description, metadata }: Entry, stages: readonly { id: string; name: string }[]): string {
  const [from, to] = [metadata?.from, metadata?.to].map((id) => stages.find((stage) => stage.id === id))
  return from && to ? `${from.name} to ${to.name}` : description
}
