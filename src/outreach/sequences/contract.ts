import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { branchEvents, definition, limits, stepId } from './definition-contract.ts'
import { maxClosedDays } from './holiday-rules.ts'
import { runStatuses, stepOutcomes } from './rules.ts'
import { starterKeys } from './starter-rules.ts'

const tags = ['Sequences']
const byId = z.strictObject({ id: z.uuid() })
const noSequence = { NOT_FOUND: { status: 404, message: 'This sequence does not exist' } } as const
const noRun = { NOT_FOUND: { status: 404, message: 'The patient is not in this sequence' } } as const
const nameTaken = { NAME_TAKEN: { status: 409, message: 'Another sequence has this name' } } as const
const invalidReference = {
  INVALID_REFERENCE: {
    status: 400,
    message: 'Something that the sequence names does not exist',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const

const name = requiredLine(limits.name, 'Enter a name')

const health = z.object({
  /** Due steps that have waited for more than 15 minutes. */
  late: z.number().int(),
  /** Patients with whom a step has failed, in the last seven days. */
  failed: z.number().int(),
  lastStepAt: z.date().nullable(),
  lastEnteredAt: z.date().nullable(),
  /** No one has entered for as long as the sequence says that administrators want to know. */
  isQuiet: z.boolean(),
})
export type Health = z.output<typeof health>

const summary = z.object({
  id: z.uuid(),
  name: z.string(),
  isOn: z.boolean(),
  /** The newest published version; null: none. */
  published: z.number().int().nullable(),
  /** Whether the draft differs from it. */
  hasChanges: z.boolean(),
  /** Patients under way, paused ones included. */
  active: z.number().int(),
  entered: z.number().int(),
  health,
})
export type SequenceSummary = z.output<typeof summary>

const figures = z.object({
  entered: z.number().int(),
  replied: z.number().int(),
  booked: z.number().int(),
  surgery: z.number().int(),
})
export type Figures = z.output<typeof figures>

const sequence = summary.extend({
  version: z.number().int(),
  draft: definition,
  onSince: z.date().nullable(),
  publishedAt: z.date().nullable(),
  /** Other sequences that are on and that an event of the draft’s trigger starts too, by name. */
  sameTrigger: z.array(z.string()),
  /** By step: how often it was carried out, refused, and decided for yes, in the last 90 days. */
  steps: z.record(z.string(), z.object({ done: z.number().int(), refused: z.number().int(), yes: z.number().int(), no: z.number().int() })),
  /** The last 90 days: of the patients who entered, and of the comparison group. */
  funnel: z.object({
    entered: figures,
    heldOut: figures,
    /** How much more often the patients booked, in percentage points with the 95 % interval. Null: too few to say. */
    booking: z.object({ points: z.number(), from: z.number(), to: z.number() }).nullable(),
    surgery: z.object({ points: z.number(), from: z.number(), to: z.number() }).nullable(),
  }),
})
export type Sequence = z.output<typeof sequence>

const run = z.object({
  id: z.uuid(),
  sequenceId: z.uuid(),
  sequenceName: z.string(),
  contactId: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  number: z.number().int(),
  run: z.number().int(),
  status: z.enum(runStatuses),
  reason: z.string().nullable(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
  /** The step at which the patient stands; null: none, or the version has no such step. */
  step: z.string().nullable(),
  /** In words, such as 'Text “Welcome”'. */
  stepTitle: z.string().nullable(),
  dueAt: z.date().nullable(),
})
export type SequenceRun = z.output<typeof run>

const entry = z.object({
  id: z.uuid(),
  run: z.number().int(),
  step: z.string(),
  /** In words. */
  title: z.string(),
  at: z.date(),
  outcome: z.enum(stepOutcomes),
  reason: z.string().nullable(),
  refId: z.uuid().nullable(),
  by: z.uuid().nullable(),
})

const pages = cursorPages(instantPlace, { limit: 50, max: 200 })

const missing = z.array(
  z.object({
    templateId: z.uuid(),
    template: z.string(),
    variable: z.string(),
    /** It is set in Settings, Practice. Otherwise it has no value in any sequence. */
    isPractice: z.boolean(),
  }),
)

const dryRunInput = z.strictObject({
  id: z.uuid(),
  /** Events of the last so many days would start it. */
  days: z.number('Enter a number of days').int().min(0).max(limits.days),
})
const dryRun = z.object({
  total: z.number().int(),
  start: z.number().int(),
  heldOut: z.number().int(),
  /** By reason. */
  refused: z.record(z.string(), z.number().int()),
  /** Of those who would start: whose first message would wait, since they have had enough messages this week. */
  held: z.number().int(),
  /** Messages that would be refused for patients who would start, with how many by reason. The patients go on to the next step. */
  skipped: z.array(z.object({ step: z.string(), title: z.string(), refused: z.record(z.string(), z.number().int()) })),
  /** Without these values no message of the template can be sent, and the sequence cannot be turned on. */
  missing,
})
export type DryRun = z.output<typeof dryRun>

const simulated = z.object({
  at: z.date(),
  step: z.string(),
  title: z.string(),
  outcome: z.string(),
  reason: z.string().nullable(),
})

export const sequencesContract = {
  list: oc.route({ method: 'GET', path: '/sequences', tags, summary: 'List sequences with how they are doing' }).output(z.array(summary)),
  get: oc
    .route({ method: 'GET', path: '/sequences/{id}', tags, summary: 'Get a sequence with its draft and figures' })
    .input(byId)
    .errors(noSequence)
    .output(sequence),
  create: oc
    .route({ method: 'POST', path: '/sequences', tags, summary: 'Create a sequence, which is off' })
    .input(z.strictObject({ name, draft: definition }))
    .errors({ ...nameTaken, ...invalidReference })
    .output(z.object({ id: z.uuid() })),
  createFromStarter: oc
    .route({ method: 'POST', path: '/sequences/from-starter', tags, summary: 'Create a sequence from an example, with its templates' })
    .input(z.strictObject({ starter: z.enum(starterKeys, 'Choose an example') }))
    .errors({ TOO_MANY: { status: 409, message: 'There is no room for the templates of this example. Delete some templates first.' } })
    .output(z.object({ id: z.uuid() })),
  update: oc
    .route({ method: 'PATCH', path: '/sequences/{id}', tags, summary: 'Change a sequence’s name or draft' })
    .input(byId.extend({ version, name: name.optional(), draft: definition.optional() }))
    .errors({ ...noSequence, ...nameTaken, ...invalidReference, ...changedMeanwhile })
    .output(z.object({ version: z.number().int() })),
  delete: oc
    .route({ method: 'DELETE', path: '/sequences/{id}', tags, summary: 'Delete a sequence; patients under way leave it' })
    .input(byId)
    .errors(noSequence)
    .output(z.object({ stopped: z.number().int() })),
  publish: oc
    .route({ method: 'POST', path: '/sequences/{id}/versions', tags, summary: 'Publish the draft as the next version' })
    .input(
      byId.extend({
        version,
        /** Whether patients under way go on with the new version if it has the step at which they stand; otherwise they finish theirs. */
        moves: z.boolean(),
      }),
    )
    .errors({
      ...noSequence,
      ...invalidReference,
      ...changedMeanwhile,
      NO_STEPS: { status: 409, message: 'Add a step before you publish the sequence' },
    })
    .output(z.object({ number: z.number().int(), moved: z.number().int() })),
  setOn: oc
    .route({ method: 'PUT', path: '/sequences/{id}/on', tags, summary: 'Turn a sequence on or off' })
    .input(
      byId.extend({
        on: z.boolean(),
        /** On: also starts for the events of the last so many days. */
        days: z.number('Enter a number of days').int().min(0).max(limits.days).default(0),
      }),
    )
    .errors({
      ...noSequence,
      NOT_PUBLISHED: { status: 409, message: 'Publish the sequence before you turn it on' },
      MISSING_VALUES: { status: 409, message: 'A template needs a value that is empty', data: z.object({ missing }) },
    })
    .output(z.object({ started: z.number().int() })),
  dryRun: oc
    .route({
      method: 'POST',
      path: '/sequences/{id}/dry-run',
      tags,
      summary: 'Get for whom the draft would start, and who is refused by which rule; nothing is sent',
    })
    .input(dryRunInput)
    .errors(noSequence)
    .output(dryRun),
  simulate: oc
    .route({
      method: 'POST',
      path: '/sequences/{id}/simulation',
      tags,
      summary: 'Get the steps of the draft for a patient, with a clock that runs ahead; nothing is sent',
    })
    .input(
      byId.extend({
        contactId: z.uuid('Choose a patient'),
        /** What happens after a step: the patient answers, books or opens a link. */
        events: z
          .array(z.strictObject({ after: z.string().max(24), kind: z.enum(branchEvents) }))
          .max(limits.steps)
          .default([]),
      }),
    )
    .errors({ ...noSequence, NO_PATIENT: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ entries: z.array(simulated), end: z.string() })),
  runs: oc
    .route({ method: 'GET', path: '/sequences/{id}/patients', tags, summary: 'List the patients of a sequence, newest first' })
    .input(byId.extend({ status: z.enum(runStatuses).optional(), ...pages.input }))
    .errors(noSequence)
    .output(pages.output(run)),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{id}/sequences', tags, summary: 'List the sequences of a patient' })
    .input(byId)
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.array(run)),
  log: oc
    .route({ method: 'GET', path: '/sequence-patients/{id}/log', tags, summary: 'List what a sequence did for a patient, and why' })
    .input(byId)
    .errors(noRun)
    .output(z.object({ run, entries: z.array(entry) })),
  control: oc
    .route({
      method: 'POST',
      path: '/sequence-patients/{id}/control',
      tags,
      summary: 'Pause, resume or stop a sequence for a patient, skip its next step, or try a failed one again',
    })
    .input(
      byId
        .extend({
          action: z.enum(['pause', 'resume', 'stop', 'skip', 'retry'], 'Choose what to do'),
          /** Required to skip: the step at which the patient was seen to stand. */
          step: stepId.optional(),
        })
        .refine(({ action, step }) => action !== 'skip' || step !== undefined, { path: ['step'], message: 'Name the step to skip' }),
    )
    .errors({
      ...noRun,
      WRONG_STATUS: { status: 409, message: 'The sequence is no longer in a state in which this is possible' },
      STEP_CHANGED: { status: 409, message: 'The patient is no longer at this step. Look at what comes next, then try again.' },
    })
    .output(run),
  closedDays: oc
    .route({ method: 'GET', path: '/closed-days', tags, summary: 'List the days on which the practice is closed, such as holidays' })
    .output(z.array(z.object({ day: z.string(), name: z.string() }))),
  setClosedDays: oc
    .route({ method: 'PUT', path: '/closed-days', tags, summary: 'Replace the list of days on which the practice is closed' })
    .input(
      z.strictObject({
        days: z
          .array(z.strictObject({ day: z.iso.date('Enter a day as YYYY-MM-DD'), name: requiredLine(100, 'Enter a name') }))
          .max(maxClosedDays, `Use at most ${maxClosedDays} days`),
      }),
    )
    .output(z.object({ count: z.number().int() })),
}
