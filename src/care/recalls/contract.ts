import { oc } from '@orpc/contract'
import { z } from 'zod'
import { numberedPages } from '../../shared/page-lists.ts'
import { optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { deviceLimits } from '../devices/contract.ts'
import { sides } from '../devices/rules.ts'
import { answers, attemptStates, channels, isEmptyRange } from './rules.ts'

export const recallMessages = {
  title: 'Enter the title of the recall',
  maker: 'Enter the maker',
  message: 'Enter what patients should know',
  range: 'Enter where the range begins',
  emptyRange: 'The range ends before it begins',
} as const

export const recallLimits = { title: 200, message: 5_000, note: 1_000 } as const

const limit = (max: number) => optionalText(max).default(null)

const criteria = {
  maker: requiredLine(deviceLimits.maker, recallMessages.maker),
  model: limit(deviceLimits.model),
  lotFrom: limit(deviceLimits.lot),
  lotTo: limit(deviceLimits.lot),
  serialFrom: limit(deviceLimits.serial),
  serialTo: limit(deviceLimits.serial),
}
type Ranges = Partial<Record<'lotFrom' | 'lotTo' | 'serialFrom' | 'serialTo', string | null>>
function checkRanges({ lotFrom, lotTo, serialFrom, serialTo }: Ranges, context: z.RefinementCtx): void {
  if (lotTo && !lotFrom) context.addIssue({ code: 'custom', path: ['lotFrom'], message: recallMessages.range })
  if (serialTo && !serialFrom) context.addIssue({ code: 'custom', path: ['serialFrom'], message: recallMessages.range })
  if (lotFrom && lotTo && isEmptyRange(lotFrom, lotTo))
    context.addIssue({ code: 'custom', path: ['lotTo'], message: recallMessages.emptyRange })
  if (serialFrom && serialTo && isEmptyRange(serialFrom, serialTo))
    context.addIssue({ code: 'custom', path: ['serialTo'], message: recallMessages.emptyRange })
}

const affectedDevice = z.object({ name: z.string(), lot: z.string(), serial: z.string().nullable(), side: z.enum(sides).nullable() })
const reachable = {
  contactId: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The postal address on one line. */
  address: z.string().nullable(),
  language: z.string().nullable(),
  devices: z.array(affectedDevice),
}
const affected = z.object(reachable)
export type Affected = z.output<typeof affected>

const attempt = z.object({
  id: z.uuid(),
  channel: z.enum(channels),
  state: z.enum(attemptStates),
  language: z.string().nullable(),
  address: z.string().nullable(),
  note: z.string().nullable(),
  problem: z.string().nullable(),
  by: z.uuid().nullable(),
  at: z.date(),
})

const patient = z.object({
  ...reachable,
  id: z.uuid(),
  version: z.number().int(),
  answer: z.enum(answers),
  note: z.string().nullable(),
  answeredBy: z.uuid().nullable(),
  answeredAt: z.date().nullable(),
  attempts: z.array(attempt),
})
export type RecallPatient = z.output<typeof patient>

const recall = z.object({
  id: z.uuid(),
  title: z.string(),
  maker: z.string(),
  model: z.string().nullable(),
  lotFrom: z.string().nullable(),
  lotTo: z.string().nullable(),
  serialFrom: z.string().nullable(),
  serialTo: z.string().nullable(),
  messageEn: z.string(),
  messageFr: z.string(),
  isPrepared: z.boolean(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  progress: z.object({
    patients: z.number().int(),
    letters: z.number().int(),
    emailsSent: z.number().int(),
    emailsFailed: z.number().int(),
    answered: z.number().int(),
  }),
})
export type Recall = z.output<typeof recall>

const pages = numberedPages({ limit: 50, max: 100 })
const noRecall = { NOT_FOUND: { status: 404, message: 'This recall does not exist' } } as const
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient is not part of the recall' } } as const
const tags = ['Recalls']

const started = z
  .strictObject({
    title: requiredLine(recallLimits.title, recallMessages.title),
    ...criteria,
    messageEn: requiredText(recallLimits.message, recallMessages.message),
    messageFr: requiredText(recallLimits.message, recallMessages.message),
  })
  .superRefine(checkRanges)
export type Started = z.output<typeof started>

export const recallsContract = {
  find: oc
    .route({
      method: 'GET',
      path: '/recalls/affected',
      tags,
      summary: 'List the patients who have an implant of a maker, model, lots or serial numbers, and how many pieces are in stock',
    })
    .input(z.strictObject(criteria).extend(pages.input).superRefine(checkRanges))
    .output(pages.output(affected).extend({ inStock: z.number().int() })),
  list: oc
    .route({ method: 'GET', path: '/recalls', tags, summary: 'List recalls, newest first' })
    .input(z.strictObject(pages.input))
    .output(pages.output(recall)),
  get: oc
    .route({ method: 'GET', path: '/recalls/{id}', tags, summary: 'Get a recall with its progress' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(noRecall)
    .output(recall),
  patients: oc
    .route({
      method: 'GET',
      path: '/recalls/{id}/patients',
      tags,
      summary: 'List the patients of a recall with each attempt to reach them',
    })
    .input(z.strictObject({ id: z.uuid(), answer: z.enum(answers).optional() }).extend(pages.input))
    .errors(noRecall)
    .output(pages.output(patient)),
  start: oc
    .route({
      method: 'POST',
      path: '/recalls',
      tags,
      summary: 'Start a recall: a letter and an email to each patient who has such an implant',
    })
    .input(started)
    .output(recall),
  addAttempt: oc
    .route({
      method: 'POST',
      path: '/recall-patients/{id}/attempts',
      tags,
      summary: 'Record a call or a conversation with a patient of a recall',
    })
    .input(
      z.strictObject({
        id: z.uuid(),
        channel: z.enum(['phone', 'in_person'], 'Choose how'),
        state: z.enum(['reached', 'no_answer'], 'Choose whether the patient was reached'),
        note: optionalText(recallLimits.note).default(null),
      }),
    )
    .errors(noPatient)
    .output(patient),
  setAnswer: oc
    .route({ method: 'POST', path: '/recall-patients/{id}/answer', tags, summary: 'Record what came of a recall for a patient' })
    .input(
      z.strictObject({
        id: z.uuid(),
        version,
        answer: z.enum(answers, 'Choose an answer'),
        note: optionalText(recallLimits.note).default(null),
      }),
    )
    .errors({ ...noPatient, ...changedMeanwhile })
    .output(patient),
}
