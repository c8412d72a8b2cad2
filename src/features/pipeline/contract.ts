import { oc } from '@orpc/contract'
import { z } from 'zod'

export const stageKinds = ['open', 'won', 'lost'] as const
export type StageKind = (typeof stageKinds)[number]

export const funnelStage = z.object({
  id: z.uuid(),
  name: z.string(),
  value: z.string(),
  sortOrder: z.number().int(),
  kind: z.enum(stageKinds),
  isInitial: z.boolean(),
})
export type FunnelStage = z.output<typeof funnelStage>

/** The stages in the order of the funnel (spec 7: by sort_order ascending). */
export const pipelineContract = {
  stages: oc
    .route({ method: 'GET', path: '/funnel-stages', tags: ['Pipeline'], summary: 'Funnel stages in order' })
    .output(z.array(funnelStage)),
}
