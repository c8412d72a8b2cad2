import { z } from 'zod'
import { timeOfDay } from '../../shared/dates.ts'
import { requiredLine } from '../../shared/text-shapes.ts'
import { maxFilterLength, parseFilter } from '../../crm/contacts/filter.ts'
import { taskTypes } from '../../crm/tasks/rules.ts'

/*
 * What a sequence is: when it starts for a patient, its steps, and when the patient leaves it. A version is one such definition and never
 * changes once it is published.
 */

export const limits = { name: 80, title: 200, steps: 60, depth: 3, people: 20, days: 365, sources: 50 } as const

const days = (min: number) => z.number('Enter a number of days').int('Enter whole days').min(min).max(limits.days)

/** A name of the step that stays the same over all versions, so that patients under way can move to a new one. */
export const stepId = z
  .string()
  .regex(/^[a-z0-9]{6,24}$/, 'Step ids are 6 to 24 lower-case letters and digits')
  .meta({ examples: ['step0001'] })

export const triggerKinds = [
  'lead',
  'stage',
  'appointment-booked',
  'appointment-missed',
  'appointment-before',
  'quote-sent',
  'quote-expiring',
  'surgery-before',
  'surgery-after',
  'form-unanswered',
  'tag',
  'birthday',
  'follow-up',
  'no-contact',
] as const
export type TriggerKind = (typeof triggerKinds)[number]

const trigger = z.discriminatedUnion('kind', [
  /** A lead arrives from one of these sources, or from any. */
  z.strictObject({ kind: z.literal('lead'), sourceIds: z.array(z.uuid()).max(limits.sources) }),
  /** The patient enters a stage, or has been in it for so many days. */
  z.strictObject({ kind: z.literal('stage'), stageId: z.uuid('Choose a stage'), days: days(0) }),
  z.strictObject({ kind: z.literal('appointment-booked') }),
  z.strictObject({ kind: z.literal('appointment-missed') }),
  z.strictObject({ kind: z.literal('appointment-before'), days: days(0) }),
  z.strictObject({ kind: z.literal('quote-sent') }),
  z.strictObject({ kind: z.literal('quote-expiring'), days: days(0) }),
  z.strictObject({ kind: z.literal('surgery-before'), days: days(0) }),
  z.strictObject({ kind: z.literal('surgery-after'), days: days(0) }),
  z.strictObject({ kind: z.literal('form-unanswered'), days: days(1) }),
  z.strictObject({ kind: z.literal('tag'), tagId: z.uuid('Choose a tag') }),
  z.strictObject({ kind: z.literal('birthday') }),
  /** The follow-up date of the record. */
  z.strictObject({ kind: z.literal('follow-up') }),
  z.strictObject({ kind: z.literal('no-contact'), months: z.number('Enter a number of months').int().min(1).max(60) }),
])
export type Trigger = z.output<typeof trigger>

const people = z.array(z.uuid()).max(limits.people)

const plainSteps = [
  z.strictObject({ id: stepId, kind: z.literal('text'), templateId: z.uuid('Choose a template') }),
  z.strictObject({ id: stepId, kind: z.literal('email'), templateId: z.uuid('Choose a template') }),
  z.strictObject({
    id: stepId,
    kind: z.literal('task'),
    title: requiredLine(limits.title, 'Enter a title'),
    type: z.enum(taskTypes),
    /** Hours until it is due. */
    hours: z
      .number('Enter a number of hours')
      .int()
      .min(0)
      .max(24 * 60),
    /** Assigned in turn; without any, to the owner of the patient. */
    people: people,
  }),
  z.strictObject({
    id: stepId,
    kind: z.literal('wait'),
    amount: z
      .number('Enter how long to wait')
      .int()
      .min(0)
      .max(24 * 60),
    unit: z.enum(['minutes', 'hours', 'days']),
    /** Days on which the practice is closed do not count. */
    working: z.boolean(),
    /** Of days: until this time of day. */
    at: timeOfDay.nullable(),
  }),
  /** Until a day counted from the start, or from the appointment or surgery that started the sequence (negative: before it). */
  z.strictObject({
    id: stepId,
    kind: z.literal('until'),
    from: z.enum(['start', 'event']),
    days: z.number('Enter a number of days').int().min(-limits.days).max(limits.days),
    at: timeOfDay,
  }),
  z.strictObject({ id: stepId, kind: z.literal('stage'), stageId: z.uuid('Choose a stage') }),
  z.strictObject({ id: stepId, kind: z.literal('tag'), tagId: z.uuid('Choose a tag'), on: z.boolean() }),
  /** Gives the patient an owner; of several people, in turn. */
  z.strictObject({ id: stepId, kind: z.literal('owner'), people: people.min(1, 'Choose a person') }),
  /** Tells the practice's webhooks. */
  z.strictObject({ id: stepId, kind: z.literal('hook') }),
  z.strictObject({ id: stepId, kind: z.literal('leave') }),
] as const

export type PlainStep = z.output<(typeof plainSteps)[number]>
/** What a branch can ask about: an answer, an appointment, a link of a message that was opened. */
export const branchEvents = ['reply', 'booking', 'link'] as const
export type BranchEvent = (typeof branchEvents)[number]

export interface BranchStep {
  id: string
  kind: 'branch'
  on: BranchEvent
  /** How long it waits for that. */
  days: number
  yes: Step[]
  no: Step[]
}
export type Step = PlainStep | BranchStep

const step: z.ZodType<Step> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    ...plainSteps,
    z.strictObject({
      id: stepId,
      kind: z.literal('branch'),
      on: z.enum(branchEvents),
      days: days(0),
      yes: z.array(step).max(limits.steps),
      no: z.array(step).max(limits.steps),
    }),
  ]),
)

export const definition = z
  .strictObject({
    trigger,
    /** A filter of the patient list that the patient must meet when the sequence starts. */
    filter: z
      .string()
      .max(maxFilterLength)
      .refine((text) => parseFilter(text) !== null, 'This filter cannot be read')
      .refine((text) => !namesActor(text), 'A sequence runs for everyone: choose people by name instead of “Me”'),
    steps: z.array(step).max(limits.steps),
    /** What ends it besides a stop, an unsubscribe and a complaint, which always do. */
    exits: z.strictObject({
      reply: z.enum(['leave', 'pause', 'continue']),
      booking: z.boolean(),
      surgery: z.boolean(),
      /** Leaving the stage in which the patient was when it started. */
      stage: z.boolean(),
    }),
    /** Messages leave between these times of the patient's day. */
    hours: z
      .strictObject({ from: timeOfDay, to: timeOfDay })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'The end must be after the beginning' }),
    /** Days after which a patient may go through it again; null: never. */
    again: days(1).nullable(),
    /** Percent of patients who get nothing, to compare with. */
    holdOut: z.number().int().min(0).max(50),
    /** Administrators are notified if no one has entered for so many days; null: never. */
    alertDays: days(1).nullable(),
  })
  .superRefine(({ steps }, context) => {
    const all = stepsOf(steps)
    if (all.length > limits.steps) context.addIssue({ code: 'custom', path: ['steps'], message: `Use at most ${limits.steps} steps` })
    if (new Set(all.map(({ id }) => id)).size !== all.length)
      context.addIssue({ code: 'custom', path: ['steps'], message: 'Two steps have the same id' })
    if (depthOf(steps) > limits.depth)
      context.addIssue({ code: 'custom', path: ['steps'], message: `Put branches at most ${limits.depth} deep` })
  })
export type Definition = z.output<typeof definition>

/** All steps, those of branches after the branch. */
export const stepsOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap((one) => (one.kind === 'branch' ? [one, ...stepsOf(one.yes), ...stepsOf(one.no)] : [one]))

const depthOf = (steps: readonly Step[]): number =>
  Math.max(0, ...steps.map((one) => (one.kind === 'branch' ? 1 + Math.max(depthOf(one.yes), depthOf(one.no)) : 0)))

const namesActor = (text: string): boolean => (parseFilter(text)?.conditions ?? []).some(({ values }) => values.includes('me'))
