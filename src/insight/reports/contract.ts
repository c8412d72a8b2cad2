import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { ask, checkAsk, chosen } from './ask-contract.ts'
import { reportNames } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'
import { savedReportsContract } from './saved-contract.ts'

/** Rows of a breakdown that one answer has; further ones are summed nowhere and said to be there. */
export const maxRows = 200

const number = z.number().nullable().describe('In the unit of its measure; null where there is nothing to take a median of')
const values = z.record(z.string(), number)
const range = z.object({ from: z.string(), to: z.string() })

const reportAnswer = z.object({
  at: z.date(),
  report: z.enum(reportNames),
  /** Calendar days of the practice, both included; and those they are compared with. */
  now: range,
  /** Of very many records a fair part was read, and counts are estimates: which part of them, above 0 and up to 1. */
  part: z.number(),
  before: range,
  figures: z.record(z.string(), z.object({ now: number, before: number })),
  breakdowns: z.array(
    z.object({
      key: z.string(),
      /** `key`: null of what has no value; of steps of time, their first day. */
      rows: z.array(z.object({ key: z.string().nullable(), name: z.string(), now: values, before: values.nullable() })),
      isTruncated: z.boolean(),
    }),
  ),
})
export type ReportAnswer = z.output<typeof reportAnswer>

const record = z.object({
  /** What it is, and its id there. */
  kind: z.enum(['contact', 'appointment', 'surgery', 'receipt', 'task']),
  id: z.uuid(),
  /** Null of what belongs to no patient. */
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }).nullable(),
  at: z.date(),
  /** What became of it. */
  what: z.string(),
  /** In the unit that goes with it: cents, or seconds. */
  amount: number,
  amountUnit: z.enum(['money', 'seconds']).nullable(),
})
export type ReportRecord = z.output<typeof record>

const choices = z.object({
  /** `mayRead`: whether their role reads reports, so that they may be sent one. */
  people: z.array(z.object({ id: z.uuid(), name: z.string(), mayRead: z.boolean() })),
  sources: z.array(z.string()),
  procedures: z.array(z.object({ id: z.uuid(), name: z.string() })),
  locations: z.array(z.string()),
})

/** A record may be counted more than once at one instant, such as a patient in each stage: `listed` says how many lines of it were given. */
const recordPlace = instantPlace.extend({ listed: z.number().int().min(1).max(1_000) })
export type RecordPlace = z.output<typeof recordPlace>
const recordPages = cursorPages(recordPlace, { limit: 50, max: 100 })
const tags = ['Reports']

export const reportsContract = {
  choices: oc.route({ method: 'GET', path: '/report-choices', tags, summary: 'What reports can be narrowed to' }).output(choices),
  run: oc
    .route({ method: 'GET', path: '/reports/{report}', tags, summary: 'One report, beside the period before' })
    .input(ask)
    .output(reportAnswer),
  records: oc
    .route({
      method: 'GET',
      path: '/reports/{report}/records',
      tags,
      summary: 'The records that a figure of a report counts, the latest first, and how many there are',
    })
    .input(
      chosen
        .extend({
          measure: requiredText(40, 'Choose a figure'),
          breakdown: requiredText(40, 'Choose a breakdown').optional(),
          /** Of a row of the breakdown: its key, and nothing for the row without one. */
          row: requiredText(400, 'Choose a row').optional(),
          /** Of the period before. */
          isBefore: z.enum(['true', 'false'], 'Say true or false').default('false'),
          ...recordPages.input,
        })
        .superRefine((asked, context) => {
          checkAsk(asked, context)
          if (!reportNames.includes(asked.report)) return
          const { measures, breakdowns } = definitionOf(asked.report)
          const measure = Object.hasOwn(measures, asked.measure) ? measures[asked.measure] : undefined
          if (!measure || measure.isDerived) context.addIssue({ code: 'custom', path: ['measure'], message: 'There is no such figure' })
          if (asked.breakdown !== undefined && !Object.hasOwn(breakdowns, asked.breakdown))
            context.addIssue({ code: 'custom', path: ['breakdown'], message: 'There is no such breakdown' })
          if (asked.row !== undefined && asked.breakdown === undefined)
            context.addIssue({ code: 'custom', path: ['row'], message: 'Choose the breakdown of the row' })
        }),
    )
    .errors({ CLINICAL: { status: 403, message: 'Your role does not see why something was cancelled' } })
    .output(recordPages.output(record).extend({ total: z.number().int() })),
  ...savedReportsContract,
}
