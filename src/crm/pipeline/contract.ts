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
  /** An inactive stage accepts no new patients. Patients already in it stay until they are moved. */
  isActive: z.boolean(),
  version: z.number().int(),
})
export type FunnelStage = z.output<typeof funnelStage>

/** A funnel with more stages is no longer readable in reports and on the board. */
export const maxStages = 30

const name = requiredLine(40, 'Name the stage')
const tags = ['Pipeline']
const taken = { NAME_TAKEN: { status: 409, message: 'A stage with this name already exists' } } as const
const noStage = { NOT_FOUND: { status: 404, message: 'This stage does not exist' } } as const
const needed = {
  NEEDED: { status: 409, message: 'New leads start here or booked surgeries end here, so this stage can’t be retired' },
} as const

export const pipelineContract = {
  /** Spec 7: by sort_order ascending. */
  stages: oc.route({ method: 'GET', path: '/funnel-stages', tags, summary: 'List funnel stages in order' }).output(z.array(funnelStage)),
  stageCounts: oc
    .route({ method: 'GET', path: '/funnel-stages/counts', tags, summary: 'Count the patients in each stage' })
    .output(z.array(z.object({ stageId: z.uuid(), count: z.number().int() }))),
  addStage: oc
    .route({ method: 'POST', path: '/funnel-stages', tags, summary: 'Add a stage: open stages before the won stage, lost stages last' })
    .input(z.strictObject({ name, kind: z.enum(['open', 'lost'], 'Choose what the stage means') }))
    .errors({ ...taken, TOO_MANY: { status: 409, message: `A funnel has at most ${maxStages} stages` } })
    .output(funnelStage),
  changeStage: oc
    .route({ method: 'PATCH', path: '/funnel-stages/{id}', tags, summary: 'Rename, retire or reactivate a stage' })
    .input(z.strictObject({ id: z.uuid(), version, name, isActive: z.boolean('Must be true or false') }))
    .errors({ ...taken, ...noStage, ...needed, ...changedMeanwhile })
    .output(funnelStage),
  moveStage: oc
    .route({ method: 'PUT', path: '/funnel-stages/{id}/place', tags, summary: 'Move a stage before another, or to the end' })
    .input(z.strictObject({ id: z.uuid(), before: z.uuid().nullable() }))
    .errors(noStage)
    .output(z.array(funnelStage)),
  mergeStage: oc
    .route({
      method: 'POST',
      path: '/funnel-stages/{id}/merge',
      tags,
      summary: 'Retire a stage and move its patients to another, in the background',
    })
    .input(z.strictObject({ id: z.uuid(), into: z.uuid() }))
    .errors({
      ...noStage,
      ...needed,
      INVALID_TARGET: { status: 409, message: 'Choose another active stage' },
      MOVING: { status: 409, message: 'Patients are being moved to this stage. Wait until the move has finished, then try again' },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int() })),
}
