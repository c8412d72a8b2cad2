import { oc } from '@orpc/contract'
import { z } from 'zod'
import { maxDays, retentionKinds } from './rules.ts'

const rule = z.object({
  kind: z.enum(retentionKinds),
  isOn: z.boolean(),
  days: z.number().int(),
  leastDays: z.number().int(),
  maxDays: z.number().int(),
  /** When it last forgot something, or found nothing, and how many that was. */
  lastRunAt: z.date().nullable(),
  lastCount: z.number().int().nullable(),
})
export type RetentionRule = z.output<typeof rule>

const kind = z.enum(retentionKinds, 'Choose what there is')
const tags = ['Retention']
const wrong = z.object({ fields: z.record(z.string(), z.string()) })
const wrongDays = {
  TOO_SHORT: { status: 422, message: 'This has to be kept longer', data: wrong },
  TOO_LONG: { status: 422, message: 'This is not kept so long in any case', data: wrong },
} as const

export const retentionContract = {
  list: oc
    .route({ method: 'GET', path: '/retention', tags, summary: 'What is forgotten by itself, and after how long' })
    .output(z.array(rule)),
  set: oc
    .route({ method: 'PUT', path: '/retention/{kind}', tags, summary: 'Say whether something is forgotten, and after how many days' })
    .input(
      z.strictObject({
        kind,
        isOn: z.boolean('Say yes or no'),
        days: z.number('Say how many days').int('Whole days').min(0, 'Say how many days').max(maxDays, 'At most ten years'),
      }),
    )
    .errors(wrongDays)
    .output(rule),
  count: oc
    .route({ method: 'GET', path: '/retention/{kind}/count', tags, summary: 'How many would be forgotten now; nothing is' })
    .input(z.strictObject({ kind, days: z.coerce.number<number | string>('Say how many days').int().min(0).max(maxDays) }))
    .errors(wrongDays)
    .output(z.object({ count: z.number().int() })),
}
