import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { ask, checkAsk, chosen } from './request-contract.ts'
import { reportNames } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'
import { savedReportsContract } from './saved-contract.ts'

/** Maximum rows of a breakdown in a response; the response says if there are more. */
export const maxRows = 200

const number = z.number().nullable().describe('In the unit of its measure; null where there is nothing to take a median of')
const values = z.record(z.string(), number)
const range = z.object({ from: z.string(), to: z.string() })

const reportAnswer = z.object({
  at: z.date(),
  report: z.enum(reportNames),
  /** Calendar days of the practice, inclusive, and the days compared with. */
  now: range,
  /** For very many records a sample was read and counts are estimates: the sampled fraction, above 0 and up to 1. */
  part: z.number(),
  before: range,
  figures: z.record(z.string(), z.object({ now: number, before: number })),
  breakdowns: z.array(
    z.object({
      key: z.string(),
      /** `key`: null for rows without a value; the first day for time steps. */
      rows: z.array(z.object({ key: z.string().nullable(), name: z.string(), now: values, before: values.nullable() })),
      isTruncated: z.boolean(),
    }),
  ),
})
export type ReportAnswer = z.output<typeof reportAnswer>

const record = z.object({
  /** Kind of record and its id. */
  kind: z.enum(['contact', 'appointment', 'surgery', 'receipt', 'task']),
  id: z.uuid(),
  /** Null if it belongs to no patient. */
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }).nullable(),
  at: z.date(),
  /** Outcome. */
  what: z.string(),
  /** In the given unit: cents or seconds. */
  amount: number,
  amountUnit: z.enum(['money', 'seconds']).nullable(),
})
export type ReportRecord = z.output<typeof record>

const choices = z.object({
  /** `mayRead`: whether the user's role has access to reports and can receive one. */
  people: z.array(z.object({ id: z.uuid(), name: z.string(), mayRead: z.boolean() })),
  sources: z.array(z.string()),
  procedures: z.array(z.object({ id: z.uuid(), name: z.string() })),
  locations: z.array(z.string()),
})

/**
 * A record may count several times at one instant, such as a patient in each stage: `listed` says how many of its lines were already
 * returned.
 */
const recordPlace = instantPlace.extend({ listed: z.number().int().min(1).max(1_000) })
export type RecordPlace = z.output<typeof recordPlace>
const recordPages = cursorPages(recordPlace, { limit: 50, max: 100 })
export const notForRole = 'Your role has no access to this report'
const unreadable = { NOT_FOUND: { status: 404, message: notForRole } } as const
const tags = ['Reports']

export const reportsContract = {
  choices: oc.route({ method: 'GET', path: '/report-choices', tags, summary: 'Filter options of reports' }).output(choices),
  run: oc
    .route({ method: 'GET', path: '/reports/{report}', tags, summary: 'One report, compared with the previous period' })
    .input(ask)
    .errors(unreadable)
    .output(reportAnswer),
  records: oc
    .route({
      method: 'GET',
      path: '/reports/{report}/records',
      tags,
      summary: 'Records behind a report figure, newest first, and their number',
    })
    .input(
      chosen
        .extend({
          measure: requiredText(40, 'Choose a figure'),
          breakdown: requiredText(40, 'Choose a breakdown').optional(),
          /** Key of a breakdown row; empty for the row without a key. */
          row: requiredText(400, 'Choose a row').optional(),
          /** Use the previous period. */
          isBefore: z.enum(['true', 'false'], 'Must be true or false').default('false'),
          ...recordPages.input,
        })
        .superRefine((asked, context) => {
          checkAsk(asked, context)
          if (!reportNames.includes(asked.report)) return
          const { measures, breakdowns } = definitionOf(asked.report)
          const measure = Object.hasOwn(measures, asked.measure) ? measures[asked.measure] : undefined
          if (!measure || measure.isDerived) context.addIssue({ code: 'custom', path: ['measure'], message: 'Unknown figure' })
          if (asked.breakdown !== undefined && !Object.hasOwn(breakdowns, asked.breakdown))
            context.addIssue({ code: 'custom', path: ['breakdown'], message: 'Unknown breakdown' })
          if (asked.row !== undefined && asked.breakdown === undefined)
            context.addIssue({ code: 'custom', path: ['row'], message: 'Choose the breakdown of the row' })
        }),
    )
    .errors({ ...unreadable, CLINICAL: { status: 403, message: 'Your role cannot see cancellation reasons' } })
    .output(recordPages.output(record).extend({ total: z.number().int() })),
  ...savedReportsContract,
}
