import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { languages } from '../../shared/translations.ts'
import { optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'

/** The maximum number of templates per clinic: the list is not paged. */
export const maxTemplates = 500

/** Spec 8: messages for unexpected failures. */
export const templateFailures = {
  list: 'Failed to list templates',
  create: 'Failed to create template',
  update: 'Failed to update template',
  delete: 'Failed to delete template',
} as const

/** Spec 3: `variables` holds the HTML version, if any; without it, emails are generated from the text. */
const variables = z.object({ html_content: z.string().nullable() })
export type StoredVariables = z.output<typeof variables>

/** A row of the list, without the body. */
const templateSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  subject: z.string(),
  category: z.string(),
  updatedAt: z.date(),
  /** Whether it still has the words that a new clinic starts with. */
  isDefault: z.boolean(),
})

const template = templateSummary.omit({ isDefault: true }).extend({
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
  subject: requiredLine(300, 'Subject is required'),
  body: requiredText(50_000, 'Body is required'),
  category,
  variables: z.strictObject({ html_content: optionalText(200_000) }),
})
const newTemplate = fields.extend({
  category: category.default('general'),
  variables: fields.shape.variables.default({ html_content: null }),
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
  subject: draft(300),
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
})

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Email templates']
const notFound = { NOT_FOUND: { status: 404, message: 'Template not found' } } as const
const nameTaken = { NAME_TAKEN: { status: 409, message: 'A template with this name already exists' } } as const
const tooMany = { TOO_MANY: { status: 409, message: `You already have ${maxTemplates} templates. Delete one first.` } } as const

export const emailTemplatesContract = {
  list: oc
    .route({ method: 'GET', path: '/email-templates', tags, summary: 'List templates by name, all or one category' })
    .input(z.strictObject({ category: category.optional() }))
    .output(z.array(templateSummary)),
  get: oc
    .route({ method: 'GET', path: '/email-templates/{id}', tags, summary: 'Get a template' })
    .input(byId)
    .errors(notFound)
    .output(template),
  create: oc
    .route({ method: 'POST', path: '/email-templates', tags, summary: 'Add a template' })
    .input(newTemplate)
    .errors({ ...nameTaken, ...tooMany })
    .output(template),
  update: oc
    .route({ method: 'PATCH', path: '/email-templates/{id}', tags, summary: 'Change a template' })
    .input(changedTemplate)
    .errors({
      ...notFound,
      ...nameTaken,
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
