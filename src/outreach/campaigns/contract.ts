import { oc } from '@orpc/contract'
import { z } from 'zod'
import { consentChannels } from '../../crm/consent/rules.ts'
import { filters } from '../../crm/contacts/list-contract.ts'
import { instant } from '../../shared/dates.ts'
import { numberedPages } from '../../shared/page-lists.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { languages } from '../../shared/translations.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { campaignStatuses, deciders, refusalReasons, variants } from './rules.ts'

export const campaignMessages = {
  name: 'Enter a name',
  template: 'Choose a template',
  templateGone: 'This template no longer exists',
  testPercent: 'The share of the test is between 10% and 100%',
  hours: 'Between 1 and 168 hours',
  perHour: 'Between 10 and 100,000 messages an hour',
  past: 'Choose a time in the future',
  postalAddress: 'Commercial email needs the practice’s postal address: Settings, Practice',
  noMail: 'The server has no mail provider: set POSTMARK_TOKEN',
  noTexting: 'Text messages are not set up on the server: set TWILIO_ACCOUNT_SID',
  tooLong: 'A text message has 1,600 characters at most, with the line that ends it',
  noClicks: 'Clicks in texts are not counted: choose replies',
  noTest: 'A test of a text is not sent. Its preview shows it as it is sent.',
  noOne: 'No patient can be sent this campaign',
} as const

const fields = {
  name: requiredLine(100, campaignMessages.name),
  channel: z.enum(consentChannels).default('email'),
  audience: filters.pick({ search: true, filter: true }),
  audienceName: optionalText(60).default(null),
  templateId: z.uuid().nullable().default(null),
  templateBId: z.uuid().nullable().default(null),
  testPercent: z.number().int().min(10, campaignMessages.testPercent).max(100, campaignMessages.testPercent).nullable().default(null),
  decideBy: z.enum(deciders).default('clicked'),
  decideAfterHours: z.number().int().min(1, campaignMessages.hours).max(168, campaignMessages.hours).default(24),
  perHour: z.number().int().min(10, campaignMessages.perHour).max(100_000, campaignMessages.perHour).default(1_000),
}

/** What the screen sends: an A/B test has a second template and a share. */
export const campaignFields = z.strictObject(fields).superRefine(({ channel, templateBId, testPercent, decideBy }, context) => {
  if (testPercent !== null && templateBId === null)
    context.addIssue({ code: 'custom', path: ['templateBId'], message: campaignMessages.template })
  if (testPercent !== null && channel === 'text' && decideBy === 'clicked')
    context.addIssue({ code: 'custom', path: ['decideBy'], message: campaignMessages.noClicks })
})
export type CampaignFields = z.output<typeof campaignFields>

const campaign = z.object({
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  channel: z.enum(consentChannels),
  audience: z.object({ search: z.string().optional(), filter: z.string().optional() }),
  audienceName: z.string().nullable(),
  templateId: z.uuid().nullable(),
  templateBId: z.uuid().nullable(),
  testPercent: z.number().int().nullable(),
  decideBy: z.enum(deciders),
  decideAfterHours: z.number().int(),
  winner: z.enum(variants).nullable(),
  perHour: z.number().int(),
  status: z.enum(campaignStatuses),
  startsAt: z.date().nullable(),
  createdBy: z.uuid(),
  createdAt: z.date(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  /** Of its patients, once it has started. */
  progress: z.object({
    waiting: z.number().int(),
    /** Of those who wait, how many are held back by quiet hours or the day’s limit of texts. */
    held: z.number().int(),
    sent: z.number().int(),
    refused: z.number().int(),
    stopped: z.number().int(),
  }),
})
export type Campaign = z.output<typeof campaign>

const check = z.object({
  total: z.number().int(),
  /** How many would be sent it now. */
  sendable: z.number().int(),
  refused: z.array(z.object({ reason: z.enum(refusalReasons), count: z.number().int() })),
  /** The templates; a missing French one means that all patients are sent the English one. */
  contents: z.array(z.object({ variant: z.enum(variants), name: z.string(), subject: z.string(), hasFrench: z.boolean() })),
  spam: z.array(z.object({ found: z.string(), reason: z.string() })),
  links: z.array(z.object({ url: z.string(), problem: z.string().nullable() })),
  from: z.string(),
  replyTo: z.string(),
  /** Of texts, with a sample patient’s values and the line that ends them. */
  texts: z
    .object({
      segments: z.object({ en: z.number().int(), fr: z.number().int() }),
      /** Whether a character shortens each segment from 153 to 67. */
      isShortened: z.boolean(),
      /** About, for all who would be sent it, in hundredths of a cent; 0: the practice has entered no price. */
      cost: z.number().int(),
      /** How many can leave in an hour. */
      perHour: z.number().int(),
    })
    .nullable(),
  /** The line with which commercial messages of this channel end, for each language. */
  unsubscribe: z.object({ en: z.string(), fr: z.string() }),
  /** The most messages of campaigns and sequences that a patient is sent in seven days. */
  perWeek: z.number().int(),
  /** What has to be put right before it can be sent. */
  problems: z.array(z.string()),
})
export type CampaignCheck = z.output<typeof check>

const record = z.object({ state: z.enum(['found', 'missing', 'unknown']), name: z.string(), found: z.string().nullable() })
const senderDomain = z.object({ domain: z.string(), spf: record, dkim: record, dmarc: record })

const figures = z.object({
  sent: z.number().int(),
  /** Of emails: handed to the mail provider and not bounced. Of texts: arrived at the phone. */
  delivered: z.number().int(),
  bounced: z.number().int(),
  /** Refused by the provider, not delivered by a carrier, or refused when it was about to be handed over. */
  failed: z.number().int(),
  /** Perhaps sent: the provider did not confirm it, and it is not sent again. */
  uncertain: z.number().int(),
  clicked: z.number().int(),
  replied: z.number().int(),
  unsubscribed: z.number().int(),
  booked: z.number().int(),
  revenueCents: z.number().int(),
})
export type Figures = z.output<typeof figures>
const results = z.object({
  total: figures,
  /** Of an A/B test. */
  variants: z.array(figures.extend({ variant: z.enum(variants) })),
  refused: z.array(z.object({ reason: z.enum(refusalReasons), count: z.number().int() })),
})
export type CampaignResults = z.output<typeof results>

const pages = numberedPages({ limit: 50, max: 100 })
const byId = z.strictObject({ id: z.uuid() })
const tags = ['Campaigns']
const notFound = { NOT_FOUND: { status: 404, message: 'This campaign does not exist' } } as const
const fieldProblems = z.object({ fields: z.record(z.string(), z.string()) })
const invalid = { INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fieldProblems } } as const
const notDraft = { NOT_DRAFT: { status: 409, message: 'This campaign has been scheduled or sent, and can no longer be changed' } } as const
const wrongState = { WRONG_STATE: { status: 409, message: 'The campaign is in another state by now' } } as const

export const previewInput = z.strictObject({
  id: z.uuid(),
  variant: z.enum(variants).default('a'),
  /** A sample patient by default. */
  contactId: z.uuid().optional(),
  /** Of the sample patient. */
  language: z.enum(languages).default('en'),
})

export const campaignsContract = {
  list: oc
    .route({ method: 'GET', path: '/campaigns', tags, summary: 'List campaigns with their progress, newest first' })
    .input(z.strictObject(pages.input))
    .output(pages.output(campaign)),
  get: oc
    .route({ method: 'GET', path: '/campaigns/{id}', tags, summary: 'Get a campaign with its progress' })
    .input(byId)
    .errors(notFound)
    .output(campaign),
  create: oc
    .route({ method: 'POST', path: '/campaigns', tags, summary: 'Add a draft of a campaign' })
    .input(campaignFields)
    .errors(invalid)
    .output(campaign),
  update: oc
    .route({ method: 'PUT', path: '/campaigns/{id}', tags, summary: 'Change a draft of a campaign' })
    .input(campaignFields.safeExtend({ id: z.uuid(), version }))
    .errors({ ...notFound, ...invalid, ...notDraft, ...changedMeanwhile })
    .output(campaign),
  delete: oc
    .route({ method: 'DELETE', path: '/campaigns/{id}', tags, summary: 'Delete a draft of a campaign' })
    .input(byId)
    .errors({ ...notFound, ...notDraft }),
  check: oc
    .route({
      method: 'GET',
      path: '/campaigns/{id}/check',
      tags,
      summary: 'Check a draft before it is sent: who is refused and why, words, links and what is missing',
    })
    .input(byId)
    .errors(notFound)
    .output(check),
  senderDomain: oc
    .route({ method: 'GET', path: '/campaigns/sender-domain', tags, summary: 'Ask the DNS for SPF, DKIM and DMARC of the sender’s domain' })
    .output(senderDomain),
  preview: oc
    .route({ method: 'GET', path: '/campaigns/{id}/preview', tags, summary: 'Preview a campaign as a patient is sent it' })
    .input(previewInput)
    .errors({ ...notFound, NO_CONTACT: { status: 404, message: 'This patient does not exist' } })
    .output(
      z.object({
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        /** Of a text. */
        segments: z.number().int().nullable(),
        /** Variables without a value, and unknown ones. */
        missing: z.array(z.string()),
        /** Why the patient would not be sent it; null if they would, and for the sample patient. */
        refusedFor: z.enum(refusalReasons).nullable(),
      }),
    ),
  test: oc
    .route({ method: 'POST', path: '/campaigns/{id}/test', tags, summary: 'Send a campaign with a sample patient’s values to yourself' })
    .input(z.strictObject({ id: z.uuid(), variant: z.enum(variants).default('a'), language: z.enum(languages).default('en') }))
    .errors({
      ...notFound,
      NO_MAIL: { status: 409, message: campaignMessages.noMail },
      EMAIL_ONLY: { status: 409, message: campaignMessages.noTest },
    })
    .output(z.object({ to: z.string() })),
  start: oc
    .route({ method: 'POST', path: '/campaigns/{id}/start', tags, summary: 'Send a campaign now or at a time' })
    .input(z.strictObject({ id: z.uuid(), version, at: instant.nullable().default(null) }))
    .errors({
      ...notFound,
      ...invalid,
      ...notDraft,
      ...changedMeanwhile,
      NOT_READY: { status: 409, message: 'The campaign cannot be sent yet', data: z.object({ problems: z.array(z.string()) }) },
    })
    .output(campaign),
  pause: oc
    .route({ method: 'POST', path: '/campaigns/{id}/pause', tags, summary: 'Pause a campaign; no further message is written' })
    .input(byId)
    .errors({ ...notFound, ...wrongState })
    .output(campaign),
  resume: oc
    .route({ method: 'POST', path: '/campaigns/{id}/resume', tags, summary: 'Continue a paused campaign' })
    .input(byId)
    .errors({ ...notFound, ...wrongState })
    .output(campaign),
  stop: oc
    .route({
      method: 'POST',
      path: '/campaigns/{id}/stop',
      tags,
      summary: 'Stop a campaign permanently, or turn a scheduled one into a draft',
    })
    .input(byId)
    .errors({ ...notFound, ...wrongState })
    .output(campaign),
  chooseWinner: oc
    .route({ method: 'POST', path: '/campaigns/{id}/winner', tags, summary: 'Choose the winner of an A/B test before its time' })
    .input(byId.extend({ variant: z.enum(variants) }))
    .errors({ ...notFound, ...wrongState })
    .output(campaign),
  results: oc
    .route({ method: 'GET', path: '/campaigns/{id}/results', tags, summary: 'Get what came of a campaign' })
    .input(byId)
    .errors(notFound)
    .output(results),
}
