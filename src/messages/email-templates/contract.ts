import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { languages } from '../../shared/translations.ts'
import { anyLine, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { consentChannels } from '../../crm/consent/rules.ts'

/** The maximum number of templates per clinic: the list is not paged. */
export const maxTemplates = 500

/** Spec 8: messages for unexpected failures. */
export const templateFailures = {
  list: 'Failed to list templates',
  create: 'Failed to create template',
  update: 'Failed to update template',
  delete: 'Failed to delete template',
} as const

export const templateMessages = {
  subject: 'Subject is required',
  tooLong: 'A text message has 1,600 characters at most',
} as const

/** Spec 3: `variables` holds the HTML version, if any; without it, emails are generated from the text. */
const variables = z.object({ html_content: z.string().nullable() })
export type StoredVariables = z.output<typeof variables>

/** A row of the list, without the body. */
const templateSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  channel: z.enum(consentChannels),
  /** Empty for a text message. */
  subject: z.string(),
  /** Of a text message: its beginning. */
  beginning: z.string().nullable(),
  category: z.string(),
  updatedAt: z.date(),
  /** Whether it still has the words that a new clinic starts with. */
  isDefault: z.boolean(),
})

const template = templateSummary.omit({ isDefault: true, beginning: true }).extend({
  /** Raised by every change. */
  version: z.number().int(),
  body: z.string(),
  variables,
  createdAt: z.date(),
  createdBy: z.uuid().nullable(),
  updatedBy: z.uuid().nullable(),
})
export type Template = z.output<typeof template>

const category = requiredLine(40, 'Category is required')
const fields = z.strictObject({
  name: requiredLine(100, 'Name is required'),
  subject: requiredLine(300, templateMessages.subject),
  body: requiredText(50_000, 'Body is required'),
  category,
  variables: z.strictObject({ html_content: optionalText(200_000) }),
})
/** A text message has no subject and no HTML. */
const newTemplate = fields
  .extend({
    channel: z.enum(consentChannels).default('email'),
    subject: anyLine(300, templateMessages.subject),
    category: category.default('general'),
    variables: fields.shape.variables.default({ html_content: null }),
  })
  .superRefine(({ channel, subject }, issue) => {
    if (channel === 'email' && subject === '') issue.addIssue({ code: 'custom', path: ['subject'], message: templateMessages.subject })
  })
export type NewTemplate = z.output<typeof newTemplate>

const changedTemplate = fields.partial().extend({ id: z.uuid(), version: z.number().int().min(1) })
export type ChangedTemplate = z.output<typeof changedTemplate>

const draft = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
    .refine(isStorable, notStorable)

/** A draft: no field is required yet. */
export const previewInput = z.strictObject({
  channel: z.enum(consentChannels).default('email'),
  subject: draft(300).default(''),
  body: draft(50_000),
  variables: z.strictObject({ html_content: draft(200_000).nullable() }).default({ html_content: null }),
  /** The language of the values. */
  language: z.enum(languages).default('en'),
  /** The patient whose values are inserted; a sample patient by default. */
  contactId: z.uuid().nullable().default(null),
})
export type PreviewInput = z.output<typeof previewInput>

const preview = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  missing: z.object({
    /** Unknown variables. */
    unknown: z.array(z.string()),
    /** Variables without a value for this patient. */
    empty: z.array(z.string()),
  }),
  /** Of a text message: words that say why someone is a patient, which it must not contain. */
  clinicalWords: z.array(z.string()),
})

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Email templates']
const notForTexts = {
  INVALID_TEXT: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const notFound = { NOT_FOUND: { status: 404, message: 'Template not found' } } as const
const nameTaken = { NAME_TAKEN: { status: 409, message: 'A template with this name already exists' } } as const
const tooMany = { TOO_MANY: { status: 409, message: `You already have ${maxTemplates} templates. Delete one first.` } } as const

export const emailTemplatesContract = {
  list: oc
    .route({ method: 'GET', path: '/email-templates', tags, summary: 'List templates by name, all or those of a category or channel' })
    .input(z.strictObject({ category: category.optional(), channel: z.enum(consentChannels).optional() }))
    .output(z.array(templateSummary)),
  get: oc
    .route({ method: 'GET', path: '/email-templates/{id}', tags, summary: 'Get a template' })
    .input(byId)
    .errors(notFound)
    .output(template),
  create: oc
    .route({ method: 'POST', path: '/email-templates', tags, summary: 'Add a template' })
    .input(newTemplate)
    .errors({ ...nameTaken, ...tooMany, ...notForTexts })
    .output(template),
  update: oc
    .route({ method: 'PATCH', path: '/email-templates/{id}', tags, summary: 'Change a template' })
    .input(changedTemplate)
    .errors({
      ...notFound,
      ...nameTaken,
      ...notForTexts,
      CONFLICT: { status: 409, message: 'Someone has changed this template since you opened it', data: z.object({ current: template }) },
    })
    .output(template),
  delete: oc
    .route({ method: 'DELETE', path: '/email-templates/{id}', tags, summary: 'Delete a template permanently' })
    .input(byId)
    .errors(notFound),
  duplicate: oc
    .route({ method: 'POST', path: '/email-templates/{id}/copies', tags, summary: 'Duplicate a template under a new name' })
    .input(byId)
    .errors({ ...notFound, ...tooMany })
    .output(template),
  preview: oc
    .route({ method: 'POST', path: '/email-templates/preview', tags, summary: 'Preview a draft for a patient, with missing variables' })
    .input(previewInput)
    .errors({ NO_CONTACT: { status: 404, message: 'This patient does not exist' } })
    .output(preview),
}
