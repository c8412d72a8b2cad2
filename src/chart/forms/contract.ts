import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { entryLimits } from '../health/contract.ts'
import { maxRows, maxStopDays, severities } from '../health/rules.ts'
import {
  chartFields,
  conditionTests,
  dayLimit,
  definitionLimits,
  definitionProblems,
  numberLimit,
  questionTypes,
  redFlagTargets,
  type ChartField,
  type DefinitionProblemCode,
} from './definition-rules.ts'
import { languages } from '../../shared/translations.ts'
import { answerProblemCodes } from './rules.ts'
import { starterNames, type StarterKey } from './starter-rules.ts'
import { formStatuses, sentVias } from './status-rules.ts'

/** The most templates of a clinic: the list is not paged. */
export const maxTemplates = 200
/** The most forms of a patient: the list is not paged. */
export const maxForms = 200

/*
 * The shape of a definition. Limits are generous here, so that a draft can be stored while it is written; checkDefinition says what keeps it
 * from being published.
 */
const draftText = (max: number) => z.string('Enter a text').max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
const words = (max: number) => z.strictObject({ en: draftText(max), fr: draftText(max) })
const label = words(definitionLimits.label)
const help = words(definitionLimits.help).nullable()
const id = z.string('The ID is missing').max(40, 'An ID has at most 40 characters')
const testValue = z.union([z.string().max(40), z.number(), z.boolean()], 'Choose a value').nullable()
const test = z.strictObject({ test: z.enum(conditionTests, 'Choose a condition'), value: testValue })
const condition = z.strictObject({ question: id, ...test.shape }).nullable()
const number = z.number('Enter a number').min(-numberLimit, 'This number is too small').max(numberLimit, 'This number is too large')
const dayOrDays = z.union([
  z.string().max(10, 'Enter a day'),
  z
    .number('Enter a number of days')
    .int('Enter a whole number')
    .min(-dayLimit, 'This is too long ago')
    .max(dayLimit, 'This is too far away'),
])
const question = z.strictObject({
  id,
  type: z.enum(questionTypes, 'Choose a type'),
  label,
  help,
  isRequired: z.boolean(),
  showIf: condition,
  mapsTo: z.enum(Object.keys(chartFields) as [ChartField, ...ChartField[]], 'Choose a field').nullable(),
  redFlag: z.strictObject({ when: test, message: label, to: z.enum(redFlagTargets, 'Choose what happens') }).nullable(),
  min: number.nullable(),
  max: number.nullable(),
  unit: draftText(definitionLimits.unit).nullable(),
  earliest: dayOrDays.nullable(),
  latest: dayOrDays.nullable(),
  options: z
    .array(z.strictObject({ id, label, isExclusive: z.boolean() }))
    .max(definitionLimits.options, definitionProblems.TOO_MANY_OPTIONS),
  ends: z.strictObject({ low: label, high: label }).nullable(),
})
const section = z.strictObject({
  id,
  title: words(definitionLimits.title),
  help,
  showIf: condition,
  questions: z.array(question).max(definitionLimits.questions, definitionProblems.TOO_MANY_QUESTIONS),
})
export const formDefinition = z.strictObject({
  title: words(definitionLimits.title),
  sections: z.array(section).max(definitionLimits.sections, definitionProblems.TOO_MANY_SECTIONS),
})

const version = z.object({
  id: z.uuid(),
  number: z.number().int(),
  /** Raised by every change of a draft. */
  revision: z.number().int(),
  definition: formDefinition,
  publishedAt: z.date().nullable(),
})
const template = z.object({
  id: z.uuid(),
  starter: z.enum(Object.keys(starterNames) as [StarterKey, ...StarterKey[]]).nullable(),
  isActive: z.boolean(),
  /** What is being written; null if nothing has changed since the newest version was published. */
  draft: version.nullable(),
  /** The version that is sent; null before the first is published. */
  published: version.nullable(),
})
const templateLine = z.object({
  id: z.uuid(),
  isActive: z.boolean(),
  title: words(definitionLimits.title),
  questionCount: z.number().int(),
  hasDraft: z.boolean(),
  /** The number of the version that is sent; null before the first is published. */
  publishedNumber: z.number().int().nullable(),
  publishedAt: z.date().nullable(),
})
export type TemplateLine = z.output<typeof templateLine>

const sentForm = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  title: words(definitionLimits.title),
  versionNumber: z.number().int(),
  status: z.enum(formStatuses),
  sentVia: z.enum(sentVias),
  sentTo: z.string().nullable(),
  sentAt: z.date(),
  sentBy: z.uuid().nullable(),
  /** Why the email could not be sent. */
  emailProblem: z.string().nullable(),
  expiresAt: z.date(),
  language: z.enum(languages),
  /** Percent of the required questions. */
  progress: z.number().int(),
  startedAt: z.date().nullable(),
  submittedAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
  /** What the patient opens. It asks for a code. */
  link: z.string(),
  /** Null for roles that do not see answers. */
  redFlagCount: z.number().int().nullable(),
  /** Submitted, with answers that no one has reviewed; false for roles that do not see answers. */
  needsReview: z.boolean(),
})
export type SentForm = z.output<typeof sentForm>

/** Answers by question. Their shape depends on the type of the question; the rules have checked them. */
const answersShape = z.record(z.string(), z.unknown())
const raisedFlag = z.object({ question: z.string(), message: label, to: z.enum(redFlagTargets) })

export const answerProblem = z.object({ question: z.string(), code: z.enum(answerProblemCodes) })
const definitionProblem = z.object({
  at: z.string().nullable(),
  field: z.string(),
  code: z.enum(Object.keys(definitionProblems) as [DefinitionProblemCode, ...DefinitionProblemCode[]]),
})

export const reviewMessages = {
  unknown: 'The form has no such answer',
  contradiction: 'The chart has entries that say otherwise. Change them in the chart first, or keep the chart.',
} as const
/** The most forms in the list of those to review. */
export const maxToReview = 100

/** A document that an answer names, as staff read it. */
const readFile = z.object({ id: z.uuid(), name: z.string(), isPicture: z.boolean(), isInfected: z.boolean() })

const reviewItem = z.object({
  question: z.string(),
  /** An answer with several lines or choices proposes several things. */
  part: z.number().int(),
  label: z.string(),
  field: z.enum(Object.keys(chartFields) as [ChartField, ...ChartField[]]),
  /** What accepting writes. */
  text: z.string(),
  /** The answer says that there is nothing: accepting it records that in the chart. */
  isNone: z.boolean(),
  /** What the chart or the record says about it now. */
  chart: z.array(z.string()),
  /** Identifies what the chart says, for a decision. */
  seen: z.string(),
  /** `contradiction`: the answer says that there is nothing, and the chart has entries. It can't be accepted. */
  state: z.enum(['same', 'new', 'different', 'contradiction']),
  decision: z
    .object({ decision: z.enum(['accepted', 'kept']), text: z.string().nullable(), decidedBy: z.uuid(), decidedAt: z.date() })
    .nullable(),
})
const formReview = sentForm.extend({
  redFlags: z.array(raisedFlag),
  items: z.array(reviewItem),
  reviewedAt: z.date().nullable(),
  reviewedBy: z.uuid().nullable(),
})
export type FormReview = z.output<typeof formReview>

/** Refusals of the patient's calls (portal/contract.ts). */
export const closedForm = {
  SUBMITTED: { status: 409, message: 'This form was already submitted' },
  WITHDRAWN: { status: 409, message: 'The clinic has withdrawn this form' },
  EXPIRED: { status: 409, message: 'This form has expired. Please call us.' },
} as const

const byId = z.strictObject({ id: z.uuid() })
const ofContact = z.strictObject({ contactId: z.uuid() })
const revision = z.number('The revision is missing').int().min(1)
const tags = ['Forms']
const noTemplate = { NOT_FOUND: { status: 404, message: 'This form does not exist' } } as const
/** Without what was saved: the page asks for it. A definition within an error is nested too deeply for the OpenAPI document. */
const conflict = { CONFLICT: { status: 409, message: 'Someone has changed this form since you opened it' } } as const
const tooMany = { TOO_MANY: { status: 409, message: `You already have ${maxTemplates} forms. Change one of them instead.` } } as const
const notSubmitted = { NOT_SUBMITTED: { status: 409, message: 'The patient has not submitted this form yet' } } as const
const noForm = { NOT_FOUND: { status: 404, message: 'This form was not sent' } } as const
const invalidReference = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const

export const formsContract = {
  templates: oc
    .route({ method: 'GET', path: '/form-templates', tags, summary: 'List the forms of the practice by title' })
    .output(z.array(templateLine)),
  template: oc
    .route({ method: 'GET', path: '/form-templates/{id}', tags, summary: 'Get a form with its draft and its published version' })
    .input(byId)
    .errors(noTemplate)
    .output(template),
  createTemplate: oc
    .route({
      method: 'POST',
      path: '/form-templates',
      tags,
      summary: 'Add a form as a draft: empty, from a starter, or as a copy of another',
    })
    .input(
      z.strictObject({
        starter: template.shape.starter.default(null),
        /** The form that is copied, with its draft if it has one. */
        copyOf: z.uuid('Choose a form').nullable().default(null),
      }),
    )
    .errors({ ...tooMany, ...noTemplate })
    .output(template),
  saveDraft: oc
    .route({
      method: 'PUT',
      path: '/form-templates/{id}/draft',
      tags,
      summary: 'Save the draft of a form; forms already sent keep their version',
    })
    .input(byId.extend({ /** Of the draft, or of the published version if there is no draft. */ revision, definition: formDefinition }))
    .errors({ ...noTemplate, ...conflict })
    .output(template),
  publish: oc
    .route({ method: 'POST', path: '/form-templates/{id}/publish', tags, summary: 'Publish the draft: forms sent from now on use it' })
    .input(byId.extend({ revision }))
    .errors({
      ...noTemplate,
      ...conflict,
      NO_DRAFT: { status: 409, message: 'This form has no changes to publish' },
      NOT_PUBLISHABLE: {
        status: 422,
        message: 'Please correct the marked parts first',
        data: z.object({ problems: z.array(definitionProblem) }),
      },
    })
    .output(template),
  setActive: oc
    .route({ method: 'PATCH', path: '/form-templates/{id}', tags, summary: 'Stop offering a form, or offer it again' })
    .input(byId.extend({ isActive: z.boolean('Choose whether the form is active') }))
    .errors(noTemplate)
    .output(template),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/forms', tags, summary: "List a patient's forms with their status, newest first" })
    .input(ofContact)
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.array(sentForm)),
  send: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/forms', tags, summary: 'Send a form by email, or get its link' })
    .input(
      ofContact.extend({
        templateId: z.uuid('Choose a form'),
        /** One of the patient's addresses; null: only the link is wanted. */
        email: requiredText(254, 'Choose an address').nullable(),
      }),
    )
    .errors({
      ...invalidReference,
      ALREADY_SENT: { status: 409, message: 'The patient has not submitted this form yet. Copy its link, or withdraw it first.' },
      TOO_MANY: { status: 409, message: `This patient already has ${maxForms} forms` },
    })
    .output(sentForm),
  withdraw: oc
    .route({
      method: 'POST',
      path: '/forms/{id}/withdraw',
      tags,
      summary: 'Withdraw a form that was not submitted; its answers are deleted',
    })
    .input(byId)
    .errors({ ...noForm, SUBMITTED: closedForm.SUBMITTED })
    .output(sentForm),
  review: oc
    .route({
      method: 'GET',
      path: '/forms/{id}/review',
      tags,
      summary: 'Get a submitted form beside the chart: what each answer would change',
    })
    .input(byId)
    .errors({ ...noForm, ...notSubmitted })
    .output(formReview),
  decide: oc
    .route({
      method: 'POST',
      path: '/forms/{id}/review',
      tags,
      summary: 'Accept answers into the chart, or keep what the chart says; each is decided once',
    })
    .input(
      byId.extend({
        decisions: z
          .array(
            z.strictObject({
              question: z.string().max(40),
              part: z.number('The part is missing').int().min(0).max(200),
              decision: z.enum(['accepted', 'kept'], 'Choose what to do'),
              /** What the chart said when it was read. */
              seen: z.string('Reload the page').max(40),
              /** Written instead of the answer. */
              text: requiredLine(entryLimits.name, 'Enter what to write').optional(),
              severity: z.enum(severities, 'Choose a severity').nullable().optional(),
              stopDays: z
                .number('Enter a number of days')
                .int()
                .min(0)
                .max(maxStopDays, `Enter at most ${maxStopDays} days`)
                .nullable()
                .optional(),
              isWeightLoss: z.boolean('Must be true or false').optional(),
            }),
          )
          .min(1, 'Choose an answer')
          .max(200, 'Too many at once'),
      }),
    )
    .errors({
      ...noForm,
      ...notSubmitted,
      ...invalidReference,
      CHANGED: {
        status: 409,
        message: 'The chart has changed since you opened this. Check what it says now.',
        data: z.object({ current: formReview }),
      },
      FULL: { status: 409, message: `A chart takes at most ${maxRows} of these` },
    })
    .output(formReview),
  endReview: oc
    .route({
      method: 'POST',
      path: '/forms/{id}/review/end',
      tags,
      summary: 'End a review; the chart keeps what it says about undecided answers',
    })
    .input(byId)
    .errors({ ...noForm, ...notSubmitted })
    .output(formReview),
  toReview: oc
    .route({ method: 'GET', path: '/forms-to-review', tags, summary: 'List submitted forms that were not reviewed, the oldest first' })
    .output(
      z.array(
        z.object({
          id: z.uuid(),
          contactId: z.uuid(),
          firstName: z.string(),
          lastName: z.string(),
          title: words(definitionLimits.title),
          submittedAt: z.date(),
          redFlagCount: z.number().int(),
        }),
      ),
    ),
  resend: oc
    .route({ method: 'POST', path: '/forms/{id}/resend', tags, summary: 'Email the link of an open form again' })
    .input(byId)
    .errors({
      ...noForm,
      ...closedForm,
      NOT_EMAILED: { status: 409, message: 'This form was not emailed. Copy its link instead.' },
    })
    .output(sentForm),
  get: oc
    .route({ method: 'GET', path: '/forms/{id}', tags, summary: 'Get a submitted form with the patient’s answers' })
    .input(byId)
    .errors({ ...noForm, ...notSubmitted })
    .output(
      sentForm.extend({ definition: formDefinition, answers: answersShape, redFlags: z.array(raisedFlag), files: z.array(readFile) }),
    ),
}

/** A document that an answer names. */
const answeredFile = z.object({ id: z.uuid(), name: z.string(), isPicture: z.boolean() })

/** A form as the patient fills it in. */
export const ownForm = z.object({
  id: z.uuid(),
  status: z.enum(formStatuses),
  /** The patient's language, or the last one chosen. */
  language: z.enum(languages),
  definition: formDefinition,
  answers: answersShape,
  /** To be named by the next save. */
  revision: z.number().int(),
  progress: z.number().int(),
  /** The practice's day, by which limits of dates are checked. */
  today: z.string(),
  expiresAt: z.date(),
  submittedAt: z.date().nullable(),
  /** The documents that the answers name. */
  files: z.array(answeredFile),
})
export type OwnForm = z.output<typeof ownForm>

/** Changed answers: null removes one. Each is checked on its own, so that a wrong one keeps no other from being saved. */
export const answerChanges = z
  .record(z.string().max(40), z.unknown())
  .refine((changes) => Object.keys(changes).length <= definitionLimits.questions, 'Too many answers at once')
  .refine((changes) => JSON.stringify(changes).length <= 150_000, 'Too much at once')
