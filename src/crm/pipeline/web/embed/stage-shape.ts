import type { StageShape } from '../../../../ui/display/stages/StageRing.tsx'
import type { FunnelStage } from '../../contract.ts'

/** The stages of the funnel, without those for lost leads. */
export const progressStages = (stages: readonly FunnelStage[]): FunnelStage[] => stages.filter(({ kind }) => kind !== 'lost')

/** How far along a stage is, for its ring. */
export function shapeOf(stages: readonly FunnelStage[], stage: FunnelStage): StageShape {
  const path = progressStages(stages)
  return { position: Math.max(1, path.findIndex(({ id }) => id === stage.id) + 1), count: path.length, kind: stage.kind }
}
