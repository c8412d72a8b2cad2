import type { StageShape } from '../../../../ui/display/StageRing.tsx'
import type { FunnelStage } from '../../contract.ts'

/** The way through the funnel: every stage but those where patients are lost. */
export const steps = (stages: readonly FunnelStage[]): FunnelStage[] => stages.filter(({ kind }) => kind !== 'lost')

/** How far along a stage is, for its ring. */
export function shapeOf(stages: readonly FunnelStage[], stage: FunnelStage): StageShape {
  const way = steps(stages)
  return { position: Math.max(1, way.findIndex(({ id }) => id === stage.id) + 1), count: way.length, kind: stage.kind }
}
