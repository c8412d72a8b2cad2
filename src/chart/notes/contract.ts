import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { isStorable, notStorable, plainText } from '../../shared/text.ts'
import { cursorPages } from '../../shared/page-lists.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { noteKinds, noteLimits, noteStatuses, sectionTypes } from './rules.ts'

export const noteMessages = {
  noPatient: 'This patient does not exist',
  noTemplate: 'Choose an active template',
  title: 'Enter a title',
  future: 'A note can’t be dated in the future',
  tooLong: `A note has at most ${noteLimits.note.toLocaleString('en-CA')} characters`,
  noSection: 'The note has no such section',
  wrongAnswer: 'This answer does not fit the section',
  addendum: 'Enter the addendum',
  empty: 'This note is empty. Write something before it is signed.',
  templateName: 'Enter a name',
  sectionTitle: 'Enter a heading',
  sections: 'Add at least one section',
  options: 'Add at least one option',
} as const

const sectionId = z.string().regex(/^[a-z\d][\w-]{0,39}$/i, 'Use letters, digits, hyphens and underscores')
const line = requiredLine(noteLimits.option, 'Enter an option')
const asked = {
  id: sectionId,
  title: requiredLine(noteLimits.sectionTitle, noteMessages.sectionTitle),
  type: z.enum(sectionTypes),
  options: z
    .array(line)
    .max(noteLimits.options, `A section has at most ${noteLimits.options} options`)
    .refine((options) => new Set(options).size === options.length, 'An option is listed twice'),
}

const newSection = z
  .strictObject({ ...asked, options: asked.options.default([]), prefill: optionalText(noteLimits.prefill).default(null) })
  .refine(({ type, options }) => type === 'text' || options.length > 0, { path: ['options'], message: noteMessages.options })
  // What does not apply to the type is left out.
  .transform((section) => (section.type === 'text' ? { ...section, options: [] } : { ...section, prefill: null }))

const newTemplate = z.strictObject({
  name: requiredLine(noteLimits.templateName, noteMessages.templateName),
  kind: z.enum(noteKinds),
  sections: z
    .array(newSection)
    .min(1, noteMessages.sections)
    .max(noteLimits.sections, `A template has at most ${noteLimits.sections} sections`)
    .refine((sections) => new Set(sections.map(({ id }) => id)).size === sections.length, 'Two sections have the same id'),
  isActive: z.boolean().default(true),
})
export type NewTemplate = z.output<typeof newTemplate>

const version = z.number('The version is missing').int().min(1)
const template = z.object({
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  kind: z.enum(noteKinds),
  sections: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      type: z.enum(sectionTypes),
      options: z.array(z.string()),
      /** The text that a new note begins with, with variables such as {{procedure}}. */
      prefill: z.string().nullable(),
    }),
  ),
  isActive: z.boolean(),
  updatedAt: z.date(),
  updatedBy: z.uuid().nullable(),
})

/** Typed, pasted or dictated text: control characters are removed, except those that no text may have (see text-shapes.ts). */
const noteText = (max: number, message?: string) =>
  z
    .string(message)
    .max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
    .refine(isStorable, notStorable)
    .transform(plainText)
const answer = z.union([
  noteText(noteLimits.text),
  z.array(z.string().max(noteLimits.option)).max(noteLimits.options),
  z.record(z.string().max(noteLimits.option), noteText(noteLimits.value)),
])

const section = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(sectionTypes),
  /** What can be chosen, or what the values are called. */
  options: z.array(z.string()),
  /** By type: a text, the chosen option or '', the chosen options, or a text for each option. */
  answer: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]),
})

const noteSummary = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contactId: z.uuid(),
  templateId: z.uuid(),
  kind: z.enum(noteKinds),
  title: z.string(),
  /** The day of the visit, surgery or call. */
  occurredOn: z.string(),
  status: z.enum(noteStatuses),
  authorId: z.uuid(),
  authorName: z.string(),
  /** Whether the author is not a provider, so that a provider has to sign. */
  needsCosign: z.boolean(),
  signedBy: z.uuid().nullable(),
  signedByName: z.string().nullable(),
  signedAt: z.date().nullable(),
  cosignedBy: z.uuid().nullable(),
  cosignedByName: z.string().nullable(),
  cosignedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  updatedBy: z.uuid(),
})
const listedNote = noteSummary.extend({ addendumCount: z.number().int() })

const note = noteSummary.extend({
  sections: z.array(section),
  addenda: z.array(z.object({ id: z.uuid(), text: z.string(), authorId: z.uuid(), authorName: z.string(), writtenAt: z.date() })),
  /** The seal of a signed note. */
  seal: z.string().nullable(),
  /** Whether the note and its addenda are as they were signed; null for a draft. */
  isIntact: z.boolean().nullable(),
})
export type Note = z.output<typeof note>

const revisionSummary = z.object({ id: z.uuid(), at: z.date(), authorId: z.uuid(), authorName: z.string() })
const revision = revisionSummary.extend({ title: z.string(), occurredOn: z.string(), sections: z.array(section) })

const ofContact = z.strictObject({ contactId: z.uuid() })
const one = z.strictObject({ id: z.uuid() })
const written = one.extend({ version })
const tags = ['Clinical notes']
const noPatient = { NOT_FOUND: { status: 404, message: noteMessages.noPatient } } as const
const noNote = { NOT_FOUND: { status: 404, message: 'This note does not exist' } } as const
const current = z.object({ current: note })
const fields = z.object({ fields: z.record(z.string(), z.string()) })
const conflict = { CONFLICT: { status: 409, message: 'This note was changed in the meantime', data: current } } as const
const signed = { SIGNED: { status: 409, message: 'This note is signed. Add an addendum instead.', data: current } } as const
const notAuthor = {
  NOT_AUTHOR: { status: 409, message: 'Someone else is writing this note. Take over the draft to edit it.', data: current },
} as const
const invalid = { INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields } } as const
const notSigned = { NOT_SIGNED: { status: 409, message: 'This note is not signed yet' } } as const
const noTemplate = { NOT_FOUND: { status: 404, message: 'This template does not exist' } } as const
const nameTaken = { NAME_TAKEN: { status: 409, message: 'A template with this name already exists' } } as const

const pages = cursorPages(z.strictObject({ occurredOn: calendarDay, id: z.uuid() }), { limit: 50, max: 100 })

export const notesContract = {
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/notes', tags, summary: "List a patient's clinical notes, newest first" })
    .input(ofContact.extend(pages.input))
    .errors(noPatient)
    .output(
      pages
        .output(listedNote)
        .extend({ /** Of all the patient's notes. */ counts: z.object({ signed: z.number().int(), draft: z.number().int() }) }),
    ),
  get: oc
    .route({ method: 'GET', path: '/notes/{id}', tags, summary: 'Get a clinical note with its addenda' })
    .input(one)
    .errors(noNote)
    .output(note),
  create: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/notes', tags, summary: 'Start a draft from a template' })
    .input(ofContact.extend({ templateId: z.uuid(), occurredOn: calendarDay.optional() }))
    .errors({ ...noPatient, ...invalid })
    .output(note),
  save: oc
    .route({ method: 'PATCH', path: '/notes/{id}', tags, summary: 'Save a draft: the given fields, and the answers of the given sections' })
    .input(
      written.extend({
        title: requiredLine(noteLimits.title, noteMessages.title).optional(),
        occurredOn: calendarDay.optional(),
        /** By the id of the section. */
        answers: z.record(sectionId, answer).default({}),
      }),
    )
    .errors({ ...noNote, ...conflict, ...signed, ...notAuthor, ...invalid })
    .output(note),
  takeOver: oc
    .route({ method: 'POST', path: '/notes/{id}/take-over', tags, summary: "Continue someone else's draft as its author" })
    .input(written)
    .errors({ ...noNote, ...conflict, ...signed })
    .output(note),
  discard: oc
    .route({ method: 'DELETE', path: '/notes/{id}', tags, summary: 'Delete your own draft permanently' })
    .input(one)
    .errors({ ...noNote, ...signed, ...notAuthor }),
  sign: oc
    .route({
      method: 'POST',
      path: '/notes/{id}/sign',
      tags,
      summary: 'Sign a note: your own draft, or one whose author is not a provider. It can’t be changed afterwards.',
    })
    .input(written)
    .errors({ ...noNote, ...conflict, ...signed, ...notAuthor, EMPTY: { status: 422, message: noteMessages.empty } })
    .output(note),
  cosign: oc
    .route({ method: 'POST', path: '/notes/{id}/cosign', tags, summary: 'Co-sign a note that another provider has signed' })
    .input(one)
    .errors({
      ...noNote,
      ...notSigned,
      ALREADY_COSIGNED: { status: 409, message: 'This note is already co-signed' },
      OWN_SIGNATURE: { status: 409, message: 'Another provider has to co-sign a note that you signed' },
    })
    .output(note),
  addAddendum: oc
    .route({ method: 'POST', path: '/notes/{id}/addenda', tags, summary: 'Add an addendum to a signed note' })
    .input(one.extend({ text: noteText(noteLimits.addendum, noteMessages.addendum).pipe(z.string().regex(/\S/, noteMessages.addendum)) }))
    .errors({ ...noNote, ...notSigned })
    .output(note),
  revisions: oc
    .route({ method: 'GET', path: '/notes/{id}/revisions', tags, summary: 'List the earlier states of a note, newest first' })
    .input(one)
    .errors(noNote)
    .output(z.array(revisionSummary)),
  revision: oc
    .route({ method: 'GET', path: '/notes/{id}/revisions/{revisionId}', tags, summary: 'Get an earlier state of a note' })
    .input(one.extend({ revisionId: z.uuid() }))
    .errors(noNote)
    .output(revision),
  templates: oc
    .route({ method: 'GET', path: '/note-templates', tags, summary: 'List the templates of clinical notes, also inactive ones' })
    .output(z.array(template)),
  addTemplate: oc
    .route({ method: 'POST', path: '/note-templates', tags, summary: 'Add a template of clinical notes' })
    .input(newTemplate)
    .errors({ ...nameTaken, TOO_MANY: { status: 409, message: `The practice has ${noteLimits.templates} templates already` } })
    .output(template),
  changeTemplate: oc
    .route({ method: 'PUT', path: '/note-templates/{id}', tags, summary: 'Change a template; existing notes keep their sections' })
    .input(newTemplate.extend({ id: z.uuid(), version }))
    .errors({
      ...noTemplate,
      ...nameTaken,
      CONFLICT: { status: 409, message: 'Someone has changed this template in the meantime', data: z.object({ current: template }) },
    })
    .output(template),
}
