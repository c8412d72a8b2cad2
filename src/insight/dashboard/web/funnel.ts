import { writeFilter } from '../../../crm/contacts/filter.ts'
import type { DashboardData } from './useDashboard.ts'

export type StageFigures = DashboardData['stages'][number]

export interface FunnelStep {
  stage: StageFigures
  /** Patients in the stage or beyond; for a lost stage, those in it. */
  reached: number
  /** Patient list filter for these. */
  filter: string
  /** Count of the previous stage; null for the first stage and lost stages. */
  before: number | null
}

/** Stages in funnel order, each with the patients who reached it and were not lost since. */
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
