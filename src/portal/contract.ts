import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../shared/text.ts'
import { optionalText, personName, requiredText } from '../shared/text-shapes.ts'
import { cents } from '../billing/collections/account-contract.ts'
import { fileKindNames, reviewStates, uploadSources } from '../documents/rules.ts'
import { patientQuote, quoteLimits, quoteMessages } from '../billing/quotes/quote-contract.ts'
import { answerChanges, answerProblem, closedForm, ownForm } from '../chart/forms/contract.ts'
import { languages } from '../shared/translations.ts'
import {
  closedConsent,
  givenSigning,
  ownConsent,
  ownConsentLine,
  signingProblem,
  withdrawalReach,
} from '../chart/consent-forms/contract.ts'
import { signingLimits } from '../chart/consent-forms/rules.ts'
import { quoteRefusals } from '../billing/quotes/contract.ts'
import { homeContract } from './home-contract.ts'
import { messagesContract } from './messages-contract.ts'
import { photosContract } from './photos-contract.ts'
import { receiptsContract } from './receipts-contract.ts'
import { codeLength, codeTargetKinds, portalMessages } from './rules.ts'

const email = z
  .string({ error: portalMessages.emailRequired })
  .trim()
  .min(1, portalMessages.emailRequired)
  .max(254, portalMessages.emailInvalid)
  .pipe(z.email(portalMessages.emailInvalid))
  .transform((address) => address.toLowerCase())
/** The page that asks for a code, which the email names and links to. Says nothing about whether there is such a form. */
export const codeTarget = z.strictObject({ kind: z.enum(codeTargetKinds, 'Choose what to open'), id: z.uuid() })
export type CodeTarget = z.output<typeof codeTarget>
const sessionToken = z.string().min(1).max(100).refine(isStorable, notStorable)
/** The patient id sent by the page. It is only compared with the session's patient, never trusted. */
const claimedContactId = z.string().max(100).refine(isStorable, notStorable)

/** A document in the portal (spec 3). */
const portalDocument = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The MIME type. */
  type: z.enum(fileKindNames),
  upload_source: z.enum(uploadSources),
  /** In bytes. */
  /** In bytes; null for what is made when it is opened. */
  size: z.number().int().nullable(),
  created_at: z.date(),
  /** The review of a patient's upload, and why it was rejected. */
  review_state: z.enum(reviewStates),
  reject_reason: z.string().nullable(),
  /**
   * A signed link to the file. It needs no cookie, so anyone who has it can open it, for one minute and only while the session is active.
   * Null until the file has passed the virus scan.
   */
  signedUrl: z.string().nullable(),
  /** A signed link to a preview image, if browsers cannot display the file itself; otherwise null. */
  previewUrl: z.string().nullable(),
})
export type PortalDocument = z.output<typeof portalDocument>

const sessionExpired = { SESSION_OVER: { status: 401, message: portalMessages.sessionOver } } as const
const notYours = { NOT_FOUND: { status: 404, message: 'Document not found' } } as const
const noQuote = { NOT_FOUND: { status: 404, message: 'Quote not found' } } as const
const noForm = { NOT_FOUND: { status: 404, message: 'Form not found' } } as const
const formRefusals = {
  ...sessionExpired,
  ...noForm,
  ...closedForm,
  CHANGED: { status: 409, message: portalMessages.formChanged, data: z.object({ current: ownForm }) },
} as const
const ownFormInput = z.strictObject({ contactId: claimedContactId, sessionToken, id: z.uuid() })
const savedFormInput = ownFormInput.extend({
  /** The revision that the page has read. */
  revision: z.number('The revision is missing').int().min(0),
  /** The language in which the patient fills in the form. */
  language: z.enum(languages, 'Choose a language'),
})
const noConsent = { NOT_FOUND: { status: 404, message: 'Document not found' } } as const
const tooMany = { TOO_MANY_REQUESTS: { status: 429, message: portalMessages.tooMany } } as const
const tags = ['Patient portal']
const route = (path: `/functions/${string}`, summary: string) => oc.route({ method: 'POST', path, summary, tags })

export const portalContract = {
  requestAccess: route('/functions/request-document-access', 'Send a code to a patient; same response for every address')
    .input(
      z.strictObject({
        email,
        /** What the code opens; null: the portal. */
        opens: codeTarget.nullable().default(null),
        /** The language of the page, for patients without a preferred one. */
        language: z.enum(languages, 'Choose a language').nullable().default(null),
      }),
    )
    .errors(tooMany)
    .output(z.object({ success: z.literal(true) })),
  verifyAccess: route('/functions/verify-document-access', 'Exchange a code for a session')
    .input(
      z.strictObject({
        email,
        otp: z
          .string()
          .trim()
          .regex(new RegExp(`^\\d{${codeLength}}$`), portalMessages.badCode),
      }),
    )
    .errors({ ...tooMany, INVALID_CODE: { status: 401, message: portalMessages.badCode } })
    .output(
      z.object({
        sessionToken: z.string(),
        contact: z.object({
          id: z.uuid(),
          /** How the patient is called. */
          first_name: z.string(),
        }),
        /** The patient’s preferred language. */
        language: z.enum(languages).nullable(),
        documents: z.array(portalDocument),
      }),
    ),
  fetchDocuments: route('/functions/patient-documents-fetch', 'List the documents of the session’s patient, newest first')
    .input(z.strictObject({ contactId: claimedContactId, sessionToken }))
    .errors({ ...sessionExpired, ...notYours })
    .output(z.object({ documents: z.array(portalDocument) })),
  fetchQuotes: route('/functions/patient-quotes-fetch', 'List the quotes sent to the session’s patient, newest first')
    .input(z.strictObject({ contactId: claimedContactId, sessionToken }))
    .errors({ ...sessionExpired, ...noQuote })
    .output(z.object({ quotes: z.array(patientQuote) })),
  acceptQuote: route('/functions/patient-quote-accept', 'Accept a quote with a typed name; idempotent')
    .input(
      z.strictObject({
        contactId: claimedContactId,
        sessionToken,
        id: z.uuid(),
        /** The total that the patient has seen. */
        totalCents: cents,
        name: personName(quoteLimits.name, 'The name', quoteMessages.name),
      }),
    )
    .errors({ ...sessionExpired, ...noQuote, ...quoteRefusals })
    .output(z.object({ quotes: z.array(patientQuote) })),
  declineQuote: route('/functions/patient-quote-decline', 'Decline a quote with a reason')
    .input(
      z.strictObject({
        contactId: claimedContactId,
        sessionToken,
        id: z.uuid(),
        reason: requiredText(quoteLimits.reason, quoteMessages.reason),
      }),
    )
    .errors({ ...sessionExpired, ...noQuote, SUPERSEDED: quoteRefusals.SUPERSEDED, NOT_OPEN: quoteRefusals.NOT_OPEN })
    .output(z.object({ quotes: z.array(patientQuote) })),
  fetchForm: route('/functions/patient-form-fetch', 'Get a form sent to the session’s patient, with the answers so far')
    .input(ownFormInput)
    .errors({ ...sessionExpired, ...noForm, ...closedForm })
    .output(ownForm),
  saveForm: route('/functions/patient-form-save', 'Save changed answers; each is checked on its own')
    .input(savedFormInput.extend({ changes: answerChanges }))
    .errors(formRefusals)
    .output(z.object({ revision: z.number().int(), progress: z.number().int(), problems: z.array(answerProblem) })),
  submitForm: route('/functions/patient-form-submit', 'Submit the saved answers if nothing is missing; idempotent')
    .input(savedFormInput)
    .errors({
      ...formRefusals,
      INCOMPLETE: { status: 422, message: portalMessages.formIncomplete, data: z.object({ problems: z.array(answerProblem) }) },
    })
    .output(z.object({ submittedAt: z.date() })),
  fetchConsents: route('/functions/patient-consents-fetch', 'List the consent forms of the session’s patient, newest first')
    .input(z.strictObject({ contactId: claimedContactId, sessionToken }))
    .errors({ ...sessionExpired, ...noConsent })
    .output(z.object({ consents: z.array(ownConsentLine) })),
  fetchConsent: route('/functions/patient-consent-fetch', 'Get an open consent form of the session’s patient')
    .input(ownFormInput)
    .errors({ ...sessionExpired, ...noConsent, ...closedConsent })
    .output(ownConsent),
  signConsent: route('/functions/patient-consent-sign', 'Sign a consent form if nothing is missing; idempotent')
    .input(
      ownFormInput.extend({
        /** The language that was read, and the hash of its text. */
        language: z.enum(languages, 'Choose a language'),
        textHash: z.string('The hash of the text is missing').max(64, 'The hash of the text is wrong').refine(isStorable, notStorable),
        signing: givenSigning,
      }),
    )
    .errors({
      ...sessionExpired,
      ...noConsent,
      ...closedConsent,
      CHANGED: { status: 409, message: portalMessages.consentChanged, data: z.object({ current: ownConsent }) },
      INCOMPLETE: { status: 422, message: portalMessages.consentIncomplete, data: z.object({ problems: z.array(signingProblem) }) },
    })
    .output(z.object({ signedAt: z.date() })),
  askAboutConsent: route('/functions/patient-consent-ask', 'Ask the clinic about a consent form; idempotent')
    .input(ownFormInput.extend({ question: optionalText(signingLimits.question).default(null) }))
    .errors({ ...sessionExpired, ...noConsent, ...closedConsent })
    .output(z.object({ askedAt: z.date() })),
  declineConsent: route('/functions/patient-consent-decline', 'Decline a consent form; idempotent')
    .input(ownFormInput.extend({ reason: optionalText(signingLimits.reason).default(null) }))
    .errors({ ...sessionExpired, ...noConsent, ...closedConsent })
    .output(z.object({ declinedAt: z.date() })),
  withdrawConsent: route('/functions/patient-consent-withdraw', 'Withdraw a signed consent, or uses of photos; idempotent')
    .input(ownFormInput.extend({ scopes: withdrawalReach.default(null) }))
    .errors({ ...sessionExpired, ...noConsent, NOT_SIGNED: { status: 409, message: portalMessages.consentNotSigned } })
    .output(z.object({ withdrawnAt: z.date() })),
  ...homeContract,
  ...messagesContract,
  ...photosContract,
  ...receiptsContract,
  signOut: route('/functions/patient-sign-out', 'End the session').input(z.strictObject({ sessionToken })),
}
