import { StageLabel, StageRing } from '../../../../ui/display/StageRing.tsx'
import type { FunnelStage } from '../../contract.ts'
import { shapeOf } from './stage-shape.ts'

interface StageNameProps {
  stages: readonly FunnelStage[]
  id: string
  /** For how long the patient has been there. */
  age?: string
  className?: string
  /** How many px there are, where that is known. */
  room?: number
}

/** A stage as it stands in a list: its ring, its name, and for how long. */
export function StageName({ stages, id, ...label }: StageNameProps) {
  const stage = stages.find((candidate) => candidate.id === id)
  return stage ? <StageLabel {...shapeOf(stages, stage)} name={stage.name} {...label} /> : null
}

export function StageIcon({ stages, stage }: { stages: readonly FunnelStage[]; stage: FunnelStage }) {
  return <StageRing {...shapeOf(stages, stage)} />
}
