import { writeFilter } from '../../../crm/contacts/filter.ts'
import type { DashboardData } from './useDashboard.ts'

export type StageFigures = DashboardData['stages'][number]

export interface FunnelStep {
  stage: StageFigures
  /** Who is in the stage now or further on; of a stage where leads are lost, who is in it. */
  reached: number
  /** The list's filter for these. */
  filter: string
  /** How many reached the stage before; null of the first one, and where leads are lost. */
  before: number | null
}

/** The stages in the order of the funnel, each with those who came at least as far and were not lost since. */
export function stepsOf(stages: readonly StageFigures[]): FunnelStep[] {
  const way = stages.filter(({ kind }) => kind !== 'lost')
  const reached = (from: number) => way.slice(from).reduce((sum, { count }) => sum + count, 0)
  return stages.map((stage) => {
    const at = way.indexOf(stage)
    if (at < 0) return { stage, reached: stage.count, filter: filterOfStages([stage]), before: null }
    return { stage, reached: reached(at), filter: filterOfStages(way.slice(at)), before: at === 0 ? null : reached(at - 1) }
  })
}

export const filterOfStages = (stages: readonly StageFigures[]): string =>
  writeFilter({ mode: 'all', conditions: [{ field: 'stage', not: false, values: stages.map(({ id }) => id) }] }) ?? ''
