import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { anyLine, requiredText } from '../../shared/text-shapes.ts'
import { maxWrittenHtml } from '../../platform/mail/written-rules.ts'
import { outcome, tooManyTests } from '../../platform/connection-tests/contract.ts'
import { draftKinds, mailLimits, mailProviders, maxRecipients, newMail, places } from './rules.ts'
import { party, connection, folder, thread, threadDetails, draft, newMessage } from './mail-contract.ts'

export const mailboxMessages = {
  off: 'Mailboxes are not set up on this installation. An administrator has to set the credentials of Nylas or Gmail.',
  state: 'This sign-in was started elsewhere or took too long. Please connect again.',
  none: 'You have not connected a mailbox yet.',
  reconnect: 'Your provider no longer accepts the connection. Please connect your mailbox again.',
  away: 'Your mailbox does not answer. Please try again in a moment.',
  busy: 'Your mailbox is limiting requests. Please wait a moment.',
  conflict: 'This draft was changed in another window. The other version was saved.',
} as const

const providerId = z.string().min(1, 'The ID is missing').max(1_000, 'This mailbox ID is too long').refine(isStorable, notStorable)
const one = z.strictObject({ id: providerId })
const oneDraft = z.strictObject({ id: z.uuid() })
const yes = z.enum(['true', 'false'], 'Must be true or false').transform((value) => value === 'true')
/** The provider's own names of places. */
const threadPages = cursorPages(providerId, { limit: 25, max: 50 })

/** One of those whom a mail goes to. */
export const recipient = z.strictObject({
  name: anyLine(200).default(''),
  email: z.email('This is not an email address').max(320, 'Use at most 320 characters').refine(isStorable, notStorable),
})
const recipients = z.array(recipient).max(maxRecipients, `At most ${maxRecipients} recipients`).default([])
const bodyText = z.string().max(mailLimits.text, 'Use at most 50,000 characters').refine(isStorable, notStorable).default('')

const fields = z.object({ fields: z.record(z.string(), z.string()) })
const toProvider = {
  NOT_CONNECTED: { status: 409, message: mailboxMessages.none },
  RECONNECT: { status: 409, message: mailboxMessages.reconnect },
  AWAY: { status: 503, message: mailboxMessages.away },
  /** `retryAfter`: seconds, where the provider says. */
  /** The provider understood the request and refused it. */
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
  connection: get('/user/nylas-connection', 'Get the current user’s mailbox connection').output(connection),
  connect: post('/mailbox/connect', "Start connecting a mailbox on the provider's page")
    .input(z.strictObject({ provider: z.enum(mailProviders, 'Unknown provider') }))
    .errors({ NOT_SET_UP: { status: 409, message: mailboxMessages.off } })
    .output(z.object({ url: z.url() })),
  finish: post('/mailbox/callback', 'Finish connecting a mailbox, with what the provider sent back')
    .input(
      z.strictObject({
        provider: z.enum(mailProviders, 'Unknown provider'),
        code: requiredText(2_000, 'The code is missing'),
        state: requiredText(200, 'The state is missing'),
      }),
    )
    .errors({
      NOT_SET_UP: { status: 409, message: mailboxMessages.off },
      STATE: { status: 409, message: mailboxMessages.state },
      CODE: { status: 409, message: 'Your provider did not accept this sign-in. Please connect again.' },
      AWAY: toProvider.AWAY,
    })
    .output(connection),
  disconnect: post('/mailbox/disconnect', 'Disconnect the mailbox and delete its tokens; drafts are kept').output(connection),
  test: post('/mailbox/test', 'Test the current user’s mailbox connection')
    .errors({ NOT_CONNECTED: toProvider.NOT_CONNECTED, ...tooManyTests })
    .output(outcome),
  newMessages: get('/nylas/messages/{grantId}', 'List new emails in a folder of the current user’s mailbox, newest first')
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
  folders: get('/mailbox/folders', 'List the current user’s mail folders with unread counts').errors(toProvider).output(z.array(folder)),
  threads: get('/mailbox/threads', 'List or search threads, newest first')
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
  thread: get('/mailbox/threads/{id}', 'Get a thread with its messages')
    .input(one)
    .errors({ ...noThread, ...toProvider })
    .output(threadDetails),
  changeThread: oc
    .route({
      method: 'PATCH',
      path: '/mailbox/threads/{id}',
      tags,
      summary: 'Mark a thread as read or unread, or move it',
    })
    .input(
      one
        .extend({ unread: z.boolean('Use true or false').optional(), place: z.enum(places, 'Unknown location').optional() })
        .refine(({ unread, place }) => unread !== undefined || place !== undefined, 'Specify what to change'),
    )
    .errors({ ...noThread, ...toProvider })
    .output(z.object({ id: z.string() })),
  link: oc
    .route({
      method: 'PUT',
      path: '/mailbox/threads/{id}/patient',
      tags,
      summary: "Link a thread to a patient's timeline, including future emails",
    })
    .input(one.extend({ contactId: z.uuid() }))
    .errors({
      ...noThread,
      ...toProvider,
      INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
    })
    .output(party),
  unlink: oc
    .route({ method: 'DELETE', path: '/mailbox/threads/{id}/patient', tags, summary: 'Unlink a thread from the timeline' })
    .input(one)
    .errors(noThread)
    .output(z.object({ id: z.string() })),
  drafts: get('/mailbox/drafts', 'List unsent drafts, newest first').output(z.array(draft)),
  draft: get('/mailbox/drafts/{id}', 'Get a draft').input(oneDraft).errors(noDraft).output(draft),
  saveDraft: oc
    .route({ method: 'PUT', path: '/mailbox/drafts/{id}', tags, summary: 'Save a draft; the client generates its ID' })
    .input(
      oneDraft.extend({
        kind: z.enum(draftKinds, 'Unknown type').default('new'),
        answers: z.strictObject({ messageId: providerId, threadId: providerId }).nullable().default(null),
        to: recipients,
        cc: recipients,
        bcc: recipients,
        subject: anyLine(mailLimits.subject).default(''),
        /** Without `html`. */
        text: bodyText,
        /** The formatted text, from which `text` is derived: bold, italic and underlined text, lists, quotes and links. */
        html: z.string().max(maxWrittenHtml, 'This email is too long').refine(isStorable, notStorable).nullable().default(null),
        /** Whether the author's signature is added. */
        withSignature: z.boolean('Use true or false').default(false),
        /** As it was last answered; 0 for a new one. */
        version: z.number('The version is missing').int().min(0),
      }),
    )
    .errors({
      ...noDraft,
      NOT_CONNECTED: toProvider.NOT_CONNECTED,
      CONFLICT: { status: 409, message: mailboxMessages.conflict, data: z.object({ draft }) },
      SENDING: { status: 409, message: 'This email is already being sent' },
      TAKEN: { status: 409, message: 'This ID is taken. Please start a new draft.' },
    })
    .output(draft),
  deleteDraft: oc
    .route({ method: 'DELETE', path: '/mailbox/drafts/{id}', tags, summary: 'Discard a draft' })
    .input(oneDraft)
    .errors({ ...noDraft, SENDING: { status: 409, message: 'This email is already being sent' } })
    .output(z.object({ id: z.uuid() })),
  removeFile: oc
    .route({ method: 'DELETE', path: '/mailbox/drafts/{id}/files/{fileId}', tags, summary: 'Remove a file from a draft' })
    .input(oneDraft.extend({ fileId: z.uuid() }))
    .errors({ ...noDraft, SENDING: { status: 409, message: 'This email is already being sent' } })
    .output(draft),
  sendDraft: post('/mailbox/drafts/{id}/send', 'Send a draft')
    .input(oneDraft.extend({ version: z.number('The version is missing').int().min(1) }))
    .errors({
      ...noDraft,
      NOT_CONNECTED: toProvider.NOT_CONNECTED,
      RECONNECT: toProvider.RECONNECT,
      CONFLICT: { status: 409, message: mailboxMessages.conflict, data: z.object({ draft }) },
      NO_RECIPIENT: { status: 422, message: 'Add a recipient', data: fields },
      TOO_LARGE: { status: 422, message: 'The files are too large: 18 MB together at most', data: fields },
    })
    .output(draft),
}
