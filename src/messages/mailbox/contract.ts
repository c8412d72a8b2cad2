import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { anyLine, requiredText } from '../../shared/text-shapes.ts'
import { outcome, tooManyTests } from '../../platform/connection-tests/contract.ts'
import { draftKinds, draftStates, folderRoles, longest, mailboxStates, mailProviders, maxRecipients, newMail, places } from './rules.ts'

export const mailboxMessages = {
  off: 'Mailboxes are not set up on this installation. An administrator has to set the credentials of Nylas or Gmail.',
  state: 'This connection was started elsewhere or took too long. Please connect again.',
  none: 'You have not connected a mailbox yet.',
  reconnect: 'Your provider no longer accepts the connection. Please connect your mailbox again.',
  away: 'Your mailbox does not answer. Please try again in a moment.',
  busy: 'Your mailbox asks for fewer calls. Please wait a moment.',
  conflict: 'This draft was changed in another window. What is shown there is what was kept.',
} as const

const person = z.object({ name: z.string(), email: z.string() })
const party = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

const connection = z.object({
  connected: z.boolean(),
  /** Spec 7: which mailbox; null when there is none. */
  grantId: z.uuid().nullable(),
  state: z.enum(mailboxStates),
  email: z.string().nullable(),
  provider: z.enum(mailProviders).nullable(),
  /** By which sign-ins a mailbox can be connected here; none: this installation is not set up for it. */
  offers: z.array(z.enum(mailProviders)),
})

const folder = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(folderRoles).nullable(),
  total: z.number().int(),
  unread: z.number().int(),
})

const thread = z.object({
  id: z.string(),
  subject: z.string(),
  snippet: z.string(),
  /** Who takes part, oneself too. */
  people: z.array(person),
  date: z.date(),
  messageCount: z.number().int(),
  isUnread: z.boolean(),
  hasAttachments: z.boolean(),
  /** Ids of the folders that its messages lie in. */
  folders: z.array(z.string()),
  /** The patient that it was linked to. */
  contact: party.nullable(),
})

const message = z.object({
  id: z.string(),
  from: person.nullable(),
  to: z.array(person),
  cc: z.array(person),
  bcc: z.array(person),
  replyTo: z.array(person),
  subject: z.string(),
  snippet: z.string(),
  /** At most the first 50,000 characters of its words. */
  text: z.string(),
  /** Harmless already: without scripts, forms and pictures from elsewhere. Null: it is words alone. */
  htmlBody: z.string().nullable(),
  remoteImages: z.number().int(),
  date: z.date(),
  isUnread: z.boolean(),
  isSent: z.boolean(),
  attachments: z.array(
    /** `isShown`: it is one of the pictures among the mail's words. */
    z.object({ id: z.string(), name: z.string(), mimeType: z.string(), size: z.number().int(), isShown: z.boolean() }),
  ),
})

const threadDetails = thread.extend({
  /** Oldest first. */
  messages: z.array(message),
  /** Which patients the addresses in it belong to. */
  known: z.array(z.object({ email: z.string(), contact: party })),
})

const draft = z.object({
  id: z.uuid(),
  kind: z.enum(draftKinds),
  answers: z.object({ messageId: z.string(), threadId: z.string() }).nullable(),
  to: z.array(person),
  cc: z.array(person),
  bcc: z.array(person),
  subject: z.string(),
  text: z.string(),
  files: z.array(z.object({ id: z.uuid(), name: z.string(), mimeType: z.string(), size: z.number().int() })),
  state: z.enum(draftStates),
  problem: z.string().nullable(),
  version: z.number().int(),
  updatedAt: z.date(),
})

/** Nylas' own shape (spec 7); times are in seconds since 1970. */
const newMessage = z.object({
  id: z.string(),
  thread_id: z.string(),
  from: z.array(person),
  subject: z.string(),
  snippet: z.string(),
  date: z.number().int(),
  unread: z.boolean(),
})

const providerId = z.string().min(1, 'The id is missing').max(1_000, 'This is no id of a mailbox').refine(isStorable, notStorable)
const one = z.strictObject({ id: providerId })
const oneDraft = z.strictObject({ id: z.uuid() })
const yes = z.enum(['true', 'false'], 'Say true or false').transform((value) => value === 'true')
/** The places are the provider's own words. */
const threadPages = cursorPages(providerId, { limit: 25, max: 50 })

/** One of those whom a mail goes to. */
export const recipient = z.strictObject({
  name: anyLine(200).default(''),
  email: z.email('This is not an email address').max(320, 'Use at most 320 characters').refine(isStorable, notStorable),
})
const recipients = z.array(recipient).max(maxRecipients, `At most ${maxRecipients} people`).default([])
const words = z.string().max(longest.text, 'Use at most 50,000 characters').refine(isStorable, notStorable).default('')

const fields = z.object({ fields: z.record(z.string(), z.string()) })
const toProvider = {
  NOT_CONNECTED: { status: 409, message: mailboxMessages.none },
  RECONNECT: { status: 409, message: mailboxMessages.reconnect },
  AWAY: { status: 503, message: mailboxMessages.away },
  /** `retryAfter`: seconds, where the provider says. */
  /** It has read what was asked, and says no. */
  REFUSED: { status: 422, message: 'Your mailbox does not accept this.' },
  BUSY: { status: 503, message: mailboxMessages.busy, data: z.object({ retryAfter: z.number().nullable() }) },
} as const
const noThread = { NOT_FOUND: { status: 404, message: 'This thread does not exist' } } as const
const noMailbox = { NOT_FOUND: { status: 404, message: 'This mailbox does not exist' } } as const
const noDraft = { NOT_FOUND: { status: 404, message: 'This draft does not exist' } } as const

const tags = ['Mailbox']
const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

export const mailboxContract = {
  connection: get('/user/nylas-connection', 'Whether the person who asks has connected a mailbox').output(connection),
  connect: post('/mailbox/connect', "Begin to connect a mailbox, on the provider's page")
    .input(z.strictObject({ provider: z.enum(mailProviders, 'There is no such provider') }))
    .errors({ NOT_SET_UP: { status: 409, message: mailboxMessages.off } })
    .output(z.object({ url: z.url() })),
  finish: post('/mailbox/callback', 'Finish connecting a mailbox, with what the provider sent back')
    .input(
      z.strictObject({
        provider: z.enum(mailProviders, 'There is no such provider'),
        code: requiredText(2_000, 'The code is missing'),
        state: requiredText(200, 'The state is missing'),
      }),
    )
    .errors({
      NOT_SET_UP: { status: 409, message: mailboxMessages.off },
      STATE: { status: 409, message: mailboxMessages.state },
      CODE: { status: 409, message: 'Your provider did not accept this. Please connect again.' },
      AWAY: toProvider.AWAY,
    })
    .output(connection),
  disconnect: post('/mailbox/disconnect', 'Forget the mailbox and its tokens; drafts stay').output(connection),
  test: post('/mailbox/test', 'Ask the provider of the own mailbox whether it still lets Refyne in')
    .errors({ NOT_CONNECTED: toProvider.NOT_CONNECTED, ...tooManyTests })
    .output(outcome),
  newMessages: get('/nylas/messages/{grantId}', 'The new emails of a folder of the own mailbox, newest first')
    .input(
      z.strictObject({
        grantId: requiredText(200, 'The mailbox is missing'),
        limit: z.coerce.number<number | string>().int().min(1, 'At least 1').max(200, 'At most 200').default(newMail.limit),
        folder: providerId.default(newMail.folder),
        unread: yes.optional(),
      }),
    )
    .errors({ ...noMailbox, ...toProvider })
    .output(z.object({ data: z.array(newMessage) })),
  folders: get('/mailbox/folders', 'The folders of the own mailbox with what is unread in them').errors(toProvider).output(z.array(folder)),
  threads: get('/mailbox/threads', 'Threads of a folder, or those that are found, the newest first')
    .input(
      z.strictObject({
        folder: providerId.optional(),
        search: requiredText(200, 'Type a name, an address or a word').optional(),
        unread: yes.optional(),
        ...threadPages.input,
      }),
    )
    .errors({ ...toProvider, NOT_FOUND: { status: 404, message: 'This folder does not exist' } })
    .output(threadPages.output(thread)),
  thread: get('/mailbox/threads/{id}', 'A thread with its messages')
    .input(one)
    .errors({ ...noThread, ...toProvider })
    .output(threadDetails),
  changeThread: oc
    .route({
      method: 'PATCH',
      path: '/mailbox/threads/{id}',
      tags,
      summary: 'Mark a thread as read or unread, archive it, or put it elsewhere',
    })
    .input(
      one
        .extend({ unread: z.boolean('Say yes or no').optional(), place: z.enum(places, 'There is no such place').optional() })
        .refine(({ unread, place }) => unread !== undefined || place !== undefined, 'Say what to change'),
    )
    .errors({ ...noThread, ...toProvider })
    .output(z.object({ id: z.string() })),
  link: oc
    .route({
      method: 'PUT',
      path: '/mailbox/threads/{id}/patient',
      tags,
      summary: "Put a thread on a patient's timeline, with what is still to come",
    })
    .input(one.extend({ contactId: z.uuid() }))
    .errors({
      ...noThread,
      ...toProvider,
      INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
    })
    .output(party),
  unlink: oc
    .route({ method: 'DELETE', path: '/mailbox/threads/{id}/patient', tags, summary: 'Take a thread off the timeline again' })
    .input(one)
    .errors(noThread)
    .output(z.object({ id: z.string() })),
  drafts: get('/mailbox/drafts', 'What was begun and not sent, the newest first').output(z.array(draft)),
  draft: get('/mailbox/drafts/{id}', 'One draft').input(oneDraft).errors(noDraft).output(draft),
  saveDraft: oc
    .route({ method: 'PUT', path: '/mailbox/drafts/{id}', tags, summary: 'Keep a draft; the client makes its id' })
    .input(
      oneDraft.extend({
        kind: z.enum(draftKinds, 'There is no such kind').default('new'),
        answers: z.strictObject({ messageId: providerId, threadId: providerId }).nullable().default(null),
        to: recipients,
        cc: recipients,
        bcc: recipients,
        subject: anyLine(longest.subject).default(''),
        text: words,
        /** As it was last answered; 0 for a new one. */
        version: z.number('The version is missing').int().min(0),
      }),
    )
    .errors({
      ...noDraft,
      NOT_CONNECTED: toProvider.NOT_CONNECTED,
      CONFLICT: { status: 409, message: mailboxMessages.conflict, data: z.object({ draft }) },
      SENDING: { status: 409, message: 'This email is on its way already' },
      TAKEN: { status: 409, message: 'This id is taken. Please begin a new draft.' },
    })
    .output(draft),
  deleteDraft: oc
    .route({ method: 'DELETE', path: '/mailbox/drafts/{id}', tags, summary: 'Throw a draft away' })
    .input(oneDraft)
    .errors({ ...noDraft, SENDING: { status: 409, message: 'This email is on its way already' } })
    .output(z.object({ id: z.uuid() })),
  removeFile: oc
    .route({ method: 'DELETE', path: '/mailbox/drafts/{id}/files/{fileId}', tags, summary: 'Take a file out of a draft' })
    .input(oneDraft.extend({ fileId: z.uuid() }))
    .errors({ ...noDraft, SENDING: { status: 409, message: 'This email is on its way already' } })
    .output(draft),
  sendDraft: post('/mailbox/drafts/{id}/send', 'Send a draft')
    .input(oneDraft.extend({ version: z.number('The version is missing').int().min(1) }))
    .errors({
      ...noDraft,
      NOT_CONNECTED: toProvider.NOT_CONNECTED,
      RECONNECT: toProvider.RECONNECT,
      CONFLICT: { status: 409, message: mailboxMessages.conflict, data: z.object({ draft }) },
      NO_RECIPIENT: { status: 422, message: 'Say who this goes to', data: fields },
      TOO_LARGE: { status: 422, message: 'The files are too large: 18 MB together at most', data: fields },
    })
    .output(draft),
}
