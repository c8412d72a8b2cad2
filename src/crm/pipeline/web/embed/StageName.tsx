import { StageLabel, StageRing } from '../../../../ui/display/stages/StageRing.tsx'
import type { FunnelStage } from '../../contract.ts'
import { shapeOf } from './stage-shape.ts'

interface StageNameProps {
  stages: readonly FunnelStage[]
  id: string
  /** How long the patient has been in the stage. */
  age?: string
  className?: string
  /** Available width in px, if known. */
  room?: number
}

/** A stage in a list: its ring, its name and the time in it. */
export function StageName({ stages, id, ...label }: StageNameProps) {
  const stage = stages.find((candidate) => candidate.id === id)
  return stage ? <StageLabel {...shapeOf(stages, stage)} name={stage.name} {...label} /> : null
}

export function StageIcon({ stages, stage }: { stages: readonly FunnelStage[]; stage: FunnelStage }) {
  return <StageRing {...shapeOf(stages, stage)} />
}
