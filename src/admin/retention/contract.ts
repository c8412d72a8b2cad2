import { oc } from '@orpc/contract'
import { z } from 'zod'
import { maxDays, retentionKinds } from './rules.ts'

const rule = z.object({
  kind: z.enum(retentionKinds),
  isOn: z.boolean(),
  days: z.number().int(),
  minDays: z.number().int(),
  maxDays: z.number().int(),
  /** When the rule last ran, and how many items it deleted. */
  lastRunAt: z.date().nullable(),
  lastCount: z.number().int().nullable(),
})
export type RetentionRule = z.output<typeof rule>

const kind = z.enum(retentionKinds, 'Choose one of the options')
const tags = ['Retention']
const fieldErrors = z.object({ fields: z.record(z.string(), z.string()) })
const daysErrors = {
  TOO_SHORT: { status: 422, message: 'These records must be kept longer', data: fieldErrors },
  TOO_LONG: { status: 422, message: 'These records are always deleted sooner than that', data: fieldErrors },
} as const

export const retentionContract = {
  list: oc.route({ method: 'GET', path: '/retention', tags, summary: 'List the retention rules' }).output(z.array(rule)),
  set: oc
    .route({ method: 'PUT', path: '/retention/{kind}', tags, summary: 'Turn a retention rule on or off and set its days' })
    .input(
      z.strictObject({
        kind,
        isOn: z.boolean('Choose yes or no'),
        days: z
          .number('Enter the number of days')
          .int('Enter whole days')
          .min(0, 'Enter the number of days')
          .max(maxDays, 'At most ten years'),
      }),
    )
    .errors(daysErrors)
    .output(rule),
  count: oc
    .route({
      method: 'GET',
      path: '/retention/{kind}/count',
      tags,
      summary: 'Count the records a rule would delete now, without deleting them',
    })
    .input(z.strictObject({ kind, days: z.coerce.number<number | string>('Enter the number of days').int().min(0).max(maxDays) }))
    .errors(daysErrors)
    .output(z.object({ count: z.number().int() })),
}
