import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'

export const stageKinds = ['open', 'won', 'lost'] as const
export type StageKind = (typeof stageKinds)[number]

export const funnelStage = z.object({
  id: z.uuid(),
  name: z.string(),
  value: z.string(),
  sortOrder: z.number().int(),
  kind: z.enum(stageKinds),
  isInitial: z.boolean(),
  /** One that is not is offered to no one; anyone who stands in it stays until moved. */
  isActive: z.boolean(),
  version: z.number().int(),
})
export type FunnelStage = z.output<typeof funnelStage>

/** A funnel of more steps than this tells no one anything. */
export const maxStages = 30

const name = requiredLine(40, 'Name the stage')
const tags = ['Pipeline']
const taken = { NAME_TAKEN: { status: 409, message: 'There is a stage of this name' } } as const
const noStage = { NOT_FOUND: { status: 404, message: 'This stage does not exist' } } as const
const needed = { NEEDED: { status: 409, message: 'New leads begin here and booked surgeries end here, so these stages stay' } } as const

export const pipelineContract = {
  /** Spec 7: by sort_order ascending. */
  stages: oc.route({ method: 'GET', path: '/funnel-stages', tags, summary: 'Funnel stages in order' }).output(z.array(funnelStage)),
  stageCounts: oc
    .route({ method: 'GET', path: '/funnel-stages/counts', tags, summary: 'How many patients stand in each stage' })
    .output(z.array(z.object({ stageId: z.uuid(), count: z.number().int() }))),
  addStage: oc
    .route({ method: 'POST', path: '/funnel-stages', tags, summary: 'Add a stage behind the open ones' })
    .input(z.strictObject({ name, kind: z.enum(['open', 'lost'], 'Choose what the stage means') }))
    .errors({ ...taken, TOO_MANY: { status: 409, message: `A funnel has at most ${maxStages} stages` } })
    .output(funnelStage),
  changeStage: oc
    .route({ method: 'PATCH', path: '/funnel-stages/{id}', tags, summary: 'Rename a stage, or say that it is no longer used' })
    .input(z.strictObject({ id: z.uuid(), version, name, isActive: z.boolean('Say yes or no') }))
    .errors({ ...taken, ...noStage, ...needed, ...changedMeanwhile })
    .output(funnelStage),
  moveStage: oc
    .route({ method: 'PUT', path: '/funnel-stages/{id}/place', tags, summary: 'Put a stage before another, or last' })
    .input(z.strictObject({ id: z.uuid(), before: z.uuid().nullable() }))
    .errors(noStage)
    .output(z.array(funnelStage)),
  mergeStage: oc
    .route({
      method: 'POST',
      path: '/funnel-stages/{id}/merge',
      tags,
      summary: 'Move all who stand in a stage to another, in the background; it is no longer used',
    })
    .input(z.strictObject({ id: z.uuid(), into: z.uuid() }))
    .errors({
      ...noStage,
      ...needed,
      NOT_INTO: { status: 409, message: 'Choose another stage that is in use' },
      MOVING: { status: 409, message: 'Patients are being moved to this stage. Wait until they are, and try again' },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int() })),
}
