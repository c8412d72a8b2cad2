import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { optionalText, personName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { languages } from '../../shared/translations.ts'
import {
  clauseKinds,
  consentUses,
  definitionLimits,
  definitionProblems,
  type DefinitionProblemCode,
  mergeFields,
  photoScopes,
} from './definition-rules.ts'
import { eventKinds } from './event-rules.ts'
import { signingFields, signingLimits } from './rules.ts'
import { starterNames, type StarterKey } from './starter-rules.ts'
import { consentStatuses, sentVias, shownStatuses } from './status-rules.ts'

/** The most templates of a clinic, and consent forms of a patient: the lists are not paged. */
export const [maxTemplates, maxConsents] = [200, 300]

/** The shape of a definition. checkDefinition says what keeps it from being published, so that a draft can be stored while it is written. */
const draftText = (max: number) => z.string('Enter a text').max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
const words = (max: number) => z.strictObject({ en: draftText(max), fr: draftText(max) })
const title = words(definitionLimits.title)
const text = words(definitionLimits.text)
const flag = z.boolean('Must be true or false')
const scopes = z.array(z.enum(photoScopes, 'Choose a use of photos')).max(photoScopes.length, 'A use of photos is listed twice')
const consentDefinition = z.strictObject({
  title,
  use: z.enum(consentUses, 'Choose when it is used'),
  procedureIds: z.array(z.uuid('Choose a procedure')).max(definitionLimits.procedures, `Choose at most ${definitionLimits.procedures}`),
  intro: text.nullable(),
  clauses: z
    .array(
      z.strictObject({
        id: z.string('The ID is missing').max(40, 'An ID has at most 40 characters'),
        kind: z.enum(clauseKinds, 'Choose a kind'),
        title,
        text,
        needsInitials: flag,
      }),
    )
    .max(definitionLimits.clauses, definitionProblems.TOO_MANY_CLAUSES),
  scopes,
  needsWitness: flag,
  needsInterpreter: flag,
  needsCountersignature: flag,
})

const version = z.object({
  id: z.uuid(),
  number: z.number().int(),
  /** Raised by every change of a draft. */
  revision: z.number().int(),
  definition: consentDefinition,
  publishedAt: z.date().nullable(),
  publishedBy: z.uuid().nullable(),
  /** Those who signed an earlier version have to sign this one. */
  mustResign: z.boolean(),
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
  title,
  use: z.enum(consentUses),
  procedureIds: z.array(z.uuid()),
  clauseCount: z.number().int(),
  hasDraft: z.boolean(),
  /** The number of the version that is sent; null before the first is published. */
  publishedNumber: z.number().int().nullable(),
  publishedAt: z.date().nullable(),
})
export type TemplateLine = z.output<typeof templateLine>

const substitute = z.object({ name: z.string(), relation: z.string() })
const file = z.object({
  id: z.uuid(),
  /** The step that it was made for. */
  kind: z.enum(eventKinds),
  size: z.number().int(),
  sha256: z.string(),
  timestamp: z.enum(['none', 'pending', 'added']),
  sealedAt: z.date(),
})
/** A consent form without what it says. */
const consent = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  templateId: z.uuid(),
  surgeryId: z.uuid().nullable(),
  title,
  use: z.enum(consentUses),
  versionNumber: z.number().int(),
  status: z.enum(consentStatuses),
  shownStatus: z.enum(shownStatuses),
  /** A provider still has to countersign it. */
  awaitsCountersignature: z.boolean(),
  sentVia: z.enum(sentVias),
  sentTo: z.string().nullable(),
  sentAt: z.date(),
  sentBy: z.uuid().nullable(),
  /** The scan of one that was signed on paper; otherwise null. */
  documentId: z.uuid().nullable(),
  /** Why the latest email about it could not be sent: its link, or where the sealed copy is. */
  emailProblem: z.string().nullable(),
  language: z.enum(languages),
  substitute: substitute.nullable(),
  askedAt: z.date().nullable(),
  signedAt: z.date().nullable(),
  declinedAt: z.date().nullable(),
  countersignedAt: z.date().nullable(),
  countersignedBy: z.uuid().nullable(),
  withdrawnOn: z.string().nullable(),
  withdrawnAt: z.date().nullable(),
  /** Uses of photos that the patient agreed to, and those withdrawn since. */
  scopes: z.array(z.enum(photoScopes)),
  withdrawnScopes: z.array(z.enum(photoScopes)),
  cancelledAt: z.date().nullable(),
  /** What the patient opens. It asks for a code. */
  link: z.string(),
})
export type Consent = z.output<typeof consent>

const consentText = z.object({
  language: z.enum(languages),
  title: z.string(),
  patientName: z.string(),
  birthDate: z.string().nullable(),
  procedure: z.string().nullable(),
  provider: z.string().nullable(),
  surgeryDate: z.string().nullable(),
  intro: z.string().nullable(),
  clauses: z.array(
    z.object({ id: z.string(), kind: z.enum(clauseKinds), title: z.string(), text: z.string(), needsInitials: z.boolean() }),
  ),
  /** The uses of photos that the patient is asked for. */
  scopes: z.array(z.object({ scope: z.enum(photoScopes), label: z.string() })),
  needsWitness: z.boolean(),
  needsInterpreter: z.boolean(),
  substitute: substitute.nullable(),
  /** The sentence that the signer ticks. */
  statement: z.string(),
})
const mergeField = z.enum(Object.keys(mergeFields) as [keyof typeof mergeFields, ...(keyof typeof mergeFields)[]])
const signature = z.union([
  z.strictObject({ kind: z.literal('drawn'), strokes: z.array(z.array(z.number())) }),
  z.strictObject({ kind: z.literal('typed'), name: z.string() }),
])
const signing = z.object({
  shown: z.array(z.string()),
  initials: z.record(z.string(), z.string()),
  signature,
  agrees: z.boolean(),
  scopes: z.array(z.enum(photoScopes)),
  witness: z.string().nullable(),
  interpreter: z.string().nullable(),
})
const event = z.object({
  id: z.uuid(),
  kind: z.enum(eventKinds),
  at: z.date(),
  actorName: z.string(),
  address: z.string().nullable(),
  device: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
const wholeConsent = consent.extend({
  /** As it was signed; as it would be signed now, if it is open. */
  text: consentText,
  /** What the text of an open one names and is not known: until then the patient cannot sign it. */
  missing: z.array(mergeField),
  /** Null until it is signed. */
  signing: signing.nullable(),
  declineReason: z.string().nullable(),
  withdrawnBy: z.string().nullable(),
  events: z.array(event),
  /** The sealed PDFs, newest first. */
  files: z.array(file),
})
const requiredConsent = z.object({
  templateId: z.uuid(),
  title,
  versionNumber: z.number().int(),
  /** The newest one for this surgery that was not cancelled; null if none was sent. */
  consent: consent.nullable(),
  /** The surgery may rely on it. */
  isInForce: z.boolean(),
})
export type RequiredConsent = z.output<typeof requiredConsent>

export const impactChanges = ['publish', 'activate', 'deactivate'] as const
export type ImpactChange = (typeof impactChanges)[number]
/** `needed`: not ready from then on until it is signed. `resigned`: the same, if earlier signatures no longer count. `settled`: no longer waits for it. */
const impactEffects = ['needed', 'resigned', 'settled'] as const
const impact = z.object({
  /** Upcoming ones, the next first. */
  surgeries: z.array(
    z.object({
      id: z.uuid(),
      contactId: z.uuid(),
      patientName: z.string(),
      email: z.string().nullable(),
      procedures: z.array(z.string()),
      startsAt: z.date(),
      effect: z.enum(impactEffects),
      /** The patient was given it for this surgery, and has not decided yet. */
      isSent: z.boolean(),
    }),
  ),
})
export type Impact = z.output<typeof impact>

const problem = z.object({
  at: z.string().nullable(),
  field: z.string(),
  code: z.enum(Object.keys(definitionProblems) as [DefinitionProblemCode, ...DefinitionProblemCode[]]),
})

export const consentMessages = {
  noTemplate: 'This consent form is not available',
  noSurgery: 'This surgery does not exist',
  notYourAddress: 'This is not one of the patient’s addresses',
  noVersion: 'This version was not published',
  noScan: 'Choose a document of the patient that can be opened',
  signer: 'Choose who signs: the patient is under 18',
  inFuture: 'This day is in the future',
  beforeSigned: 'It was not signed yet on this day',
  withdrawnBy: 'Enter who withdrew it',
  noScope: 'Choose uses of photos that the patient had agreed to',
} as const

/** Refusals of the patient's calls (portal/contract.ts). */
export const closedConsent = {
  SIGNED: { status: 409, message: 'This consent form was already signed' },
  DECLINED: { status: 409, message: 'This consent form was declined' },
  WITHDRAWN: { status: 409, message: 'This consent was withdrawn' },
  CANCELLED: { status: 409, message: 'The clinic has cancelled this consent form' },
  NOT_READY: { status: 409, message: 'The clinic has to complete this consent form first' },
} as const

const byId = z.strictObject({ id: z.uuid() })
const ofContact = z.strictObject({ contactId: z.uuid() })
const revision = z.number('The revision is missing').int().min(1)
const tags = ['Consent forms']
const noTemplate = { NOT_FOUND: { status: 404, message: 'This consent form does not exist' } } as const
const conflict = { CONFLICT: { status: 409, message: 'Someone has changed this consent form since you opened it' } } as const
const tooMany = {
  TOO_MANY: { status: 409, message: `You already have ${maxTemplates} consent forms. Change one of them instead.` },
} as const
const noConsent = { NOT_FOUND: { status: 404, message: 'This consent form was not given to a patient' } } as const
const noSurgery = { NOT_FOUND: { status: 404, message: consentMessages.noSurgery } } as const
const notSigned = { NOT_SIGNED: { status: 409, message: 'This consent form is not signed' } } as const
const invalidReference = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const tooManyConsents = {
  TOO_MANY_CONSENTS: { status: 409, message: `This patient already has ${maxConsents} consent forms` },
} as const
const sending = {
  ...invalidReference,
  MISSING_VALUES: {
    status: 422,
    message: 'The text names something that is not known yet',
    data: z.object({ missing: z.array(mergeField) }),
  },
  ...tooManyConsents,
} as const
/** One of the patient's addresses; null: only the link is wanted. */
const email = requiredText(254, 'Choose an address').nullable()
/** Who signs instead of the patient; null: the patient. Has to be stated for a patient under 18. */
const signer = z
  .strictObject({
    name: personName(signingLimits.name, 'The name'),
    relation: requiredLine(signingLimits.relation, 'Enter how they are related to the patient'),
  })
  .nullable()
  .optional()
/** Uses of photos; null: the whole consent. */
export const withdrawalReach = scopes.min(1, consentMessages.noScope).nullable()

export const consentFormsContract = {
  templates: oc
    .route({ method: 'GET', path: '/consent-templates', tags, summary: 'List the consent forms of the practice by title' })
    .output(z.array(templateLine)),
  template: oc
    .route({ method: 'GET', path: '/consent-templates/{id}', tags, summary: 'Get a consent form with its draft and its published version' })
    .input(byId)
    .errors(noTemplate)
    .output(template),
  createTemplate: oc
    .route({ method: 'POST', path: '/consent-templates', tags, summary: 'Add a consent form, empty or from a starter, as a draft' })
    .input(z.strictObject({ starter: template.shape.starter.default(null) }))
    .errors(tooMany)
    .output(template),
  saveDraft: oc
    .route({ method: 'PUT', path: '/consent-templates/{id}/draft', tags, summary: 'Save the draft of a consent form' })
    .input(byId.extend({ /** Of the draft, or of the published version if there is no draft. */ revision, definition: consentDefinition }))
    .errors({ ...noTemplate, ...conflict })
    .output(template),
  publish: oc
    .route({
      method: 'POST',
      path: '/consent-templates/{id}/publish',
      tags,
      summary: 'Publish the draft: patients are given it from now on',
    })
    .input(byId.extend({ revision, /** Those who signed an earlier version have to sign this one. */ mustResign: flag.default(false) }))
    .errors({
      ...noTemplate,
      ...conflict,
      NO_DRAFT: { status: 409, message: 'This consent form has no changes to publish' },
      NOT_PUBLISHABLE: {
        status: 422,
        message: 'Please correct the marked parts first',
        data: z.object({ problems: z.array(problem) }),
      },
    })
    .output(template),
  setActive: oc
    .route({ method: 'PATCH', path: '/consent-templates/{id}', tags, summary: 'Stop using a consent form, or use it again' })
    .input(byId.extend({ isActive: z.boolean('Choose whether the consent form is active') }))
    .errors(noTemplate)
    .output(template),
  impact: oc
    .route({
      method: 'GET',
      path: '/consent-templates/{id}/impact',
      tags,
      summary: 'List the booked surgeries whose readiness publishing, activating or deactivating a consent form would change',
    })
    .input(byId.extend({ change: z.enum(impactChanges, 'Choose what would change') }))
    .errors(noTemplate)
    .output(impact),
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/consent-forms',
      tags,
      summary: "List a patient's consent forms with their status, newest first",
    })
    .input(ofContact)
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.array(consent)),
  ofSurgery: oc
    .route({ method: 'GET', path: '/surgeries/{id}/consent-forms', tags, summary: 'List the consent forms that a surgery requires' })
    .input(byId)
    .errors(noSurgery)
    .output(z.array(requiredConsent)),
  send: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/consent-forms',
      tags,
      summary: 'Give a consent form to a patient by email, or get its link',
    })
    .input(
      ofContact.extend({
        templateId: z.uuid('Choose a consent form'),
        surgeryId: z.uuid('Choose a surgery').nullable().default(null),
        email,
        substitute: signer,
      }),
    )
    .errors({
      ...sending,
      ALREADY_SENT: { status: 409, message: 'The patient has not signed this consent form yet. Copy its link, or cancel it first.' },
    })
    .output(consent),
  sendRequired: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/consent-forms',
      tags,
      summary: 'Give the patient every consent form that the surgery still requires',
    })
    .input(byId.extend({ email, substitute: signer }))
    .errors({ ...noSurgery, ...sending })
    .output(z.array(requiredConsent)),
  recordPaper: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/paper-consents',
      tags,
      summary: 'Record that a consent form was signed on paper, with its scan',
    })
    .input(
      ofContact.extend({
        templateId: z.uuid('Choose a consent form'),
        /** Of the text that was signed. */
        versionNumber: z.number('Choose a version').int('Choose a version').min(1, 'Choose a version'),
        surgeryId: z.uuid('Choose a surgery').nullable().default(null),
        /** The scan, a document of the patient. */
        documentId: z.uuid('Choose the scan'),
        signedOn: calendarDay,
        scopes: scopes.default([]),
        substitute: signer,
      }),
    )
    .errors({
      ...invalidReference,
      ...tooManyConsents,
      ALREADY_RECORDED: { status: 409, message: 'This scan is already recorded for this consent form' },
    })
    .output(consent),
  cancel: oc
    .route({ method: 'POST', path: '/consent-forms/{id}/cancel', tags, summary: 'Take back a consent form that is not signed' })
    .input(byId)
    .errors({ ...noConsent, SIGNED: closedConsent.SIGNED })
    .output(consent),
  resend: oc
    .route({ method: 'POST', path: '/consent-forms/{id}/resend', tags, summary: 'Email the link of an open consent form again' })
    .input(byId)
    .errors({
      ...noConsent,
      ...closedConsent,
      NOT_EMAILED: { status: 409, message: 'This consent form was not emailed. Copy its link instead.' },
    })
    .output(consent),
  get: oc
    .route({ method: 'GET', path: '/consent-forms/{id}', tags, summary: 'Get a consent form with its text, signature and evidence' })
    .input(byId)
    .errors(noConsent)
    .output(wholeConsent),
  countersign: oc
    .route({ method: 'POST', path: '/consent-forms/{id}/countersign', tags, summary: 'Countersign a signed consent form as a provider' })
    .input(byId)
    .errors({ ...noConsent, ...notSigned, ALREADY_COUNTERSIGNED: { status: 409, message: 'This consent form was already countersigned' } })
    .output(wholeConsent),
  withdraw: oc
    .route({
      method: 'POST',
      path: '/consent-forms/{id}/withdraw',
      tags,
      summary: 'Record that a consent was withdrawn, or a use of photos',
    })
    .input(
      byId.extend({
        on: calendarDay,
        by: requiredLine(signingLimits.name, consentMessages.withdrawnBy),
        scopes: withdrawalReach.default(null),
      }),
    )
    .errors({ ...noConsent, ...notSigned, ...invalidReference })
    .output(consent),
}

/** A consent form as the patient reads it. `texts`, `hashes`: in both languages; the hash of the text that is signed goes back. */
export const ownConsent = z.object({
  id: z.uuid(),
  language: z.enum(languages),
  texts: z.object({ en: consentText, fr: consentText }),
  hashes: z.object({ en: z.string(), fr: z.string() }),
  /** The person who signs: the patient, or someone who signs for them. */
  signerName: z.string(),
  /** The names that a typed signature may be. */
  acceptedNames: z.array(z.string()),
  hasAsked: z.boolean(),
})
export type OwnConsent = z.output<typeof ownConsent>

/** A consent form in the patient's list. */
export const ownConsentLine = z.object({
  id: z.uuid(),
  /** It was signed on paper, and has no sealed PDF. */
  isPaper: flag,
  title,
  use: z.enum(consentUses),
  status: z.enum(consentStatuses),
  sentAt: z.date(),
  signedAt: z.date().nullable(),
  declinedAt: z.date().nullable(),
  countersignedAt: z.date().nullable(),
  withdrawnOn: z.string().nullable(),
  scopes: z.array(z.enum(photoScopes)),
  withdrawnScopes: z.array(z.enum(photoScopes)),
  /** A signed link to the newest sealed PDF; null until it is made. */
  fileUrl: z.string().nullable(),
})
export type OwnConsentLine = z.output<typeof ownConsentLine>

/** What the patient's page sends. signingProblems says what is missing, so the shape only bounds it. */
export const givenSigning = z.strictObject({
  shown: z.array(z.string().max(40)).max(definitionLimits.clauses),
  initials: z
    .record(z.string().max(40), z.string().max(signingLimits.initials, `Use at most ${signingLimits.initials} characters`))
    .refine((initials) => Object.keys(initials).length <= definitionLimits.clauses, 'Too many initials'),
  signature: z.unknown().optional(),
  agrees: flag,
  scopes: scopes.default([]),
  witness: optionalText(signingLimits.name).default(null),
  interpreter: optionalText(signingLimits.name).default(null),
})
export const signingProblem = z.object({ field: z.enum(signingFields), clause: z.string().nullable() })
