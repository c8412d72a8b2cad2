import { and, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { createPostmark, type OutgoingMail } from '../../integrations/postmark/client.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publishEach } from '../../kernel/events/events.ts'
import { defineJob, enqueue, enqueueEach } from '../../kernel/jobs.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChanges } from '../../platform/audit/service.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { mayReceiveCommercial } from '../../crm/consent/service.ts'
import { languageOf, readPhone } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { documents } from '../../documents/table.ts'
import { emailTemplates } from '../email-templates/table.ts'
import { addEntries } from '../../crm/interactions/service.ts'
import { senderOf, type Suppression, suppressionReasons } from '../../platform/mail/rules.ts'
import { suppressionOf, withLetterhead } from '../../platform/mail/service.ts'
import { announceConversation, announceConversations } from './announce.ts'
import { maySendCommercial, type Parts, textAsSent, withUnsubscribing } from './commercial.ts'
import { claim, end, interrupted } from './once.ts'
import { replySubject, entryOf, type MessageOrigin, originOf, replyAddress } from './rules.ts'
import { maxTextLength, noConsentToTexts, tooLongText } from './text-rules.ts'
import { sendText } from './sms/send.ts'
import { isInTextedCountry, nameOfSender, textingOf } from './sms/texting.ts'
import { hasUnreadAnswer, sendAnswerNotice } from './answer-notice.ts'
import { type Picture, picturesFor, takePictures } from './pictures.ts'
import { openSecrets, type OwnFile, fillPlaceholders, type Secret, sealSecrets } from './receive/placeholders.ts'
import { conversations, messageAttachments, messages } from './table.ts'
import { insertLinks, shortenLinks, withShortLinks } from './links/shorten.ts'
import { statusAfterSending, type Thread, threadIds } from './threads.ts'

type Message = typeof messages.$inferSelect

export type Outgoing = {
  subject?: string | undefined
  text: string
  html: string | null
  templateId?: string | null | undefined
  isCommercial: boolean
  /** Ids of the patient's documents. */
  documentIds: readonly string[]
  /** Generated text files. */
  files?: readonly OwnFile[]
  /** Replaces a placeholder in text and HTML, and only the reader may see it. */
  secret?: Secret
  /** When the pages end whose addresses are in a text message. */
  linksUntil?: Date | null
  /** Of a text message: the answer to STOP, START or HELP, which is sent to a number that has stopped texts too. */
  isAnswerToWord?: boolean
  /** The newest message that the author has seen. Undefined: it is sent in any case. */
  seenUntil?: Date | undefined
  /** Written from a template by the system: counted in the day's limits of text messages. */
  isFromTemplate?: boolean
  /** The sequence or campaign that sends it. */
  origin?: MessageOrigin | undefined
  idempotencyKey: string
}

/** Bytes: the maximum for all documents and pictures of one email. Postmark allows 10 MB in total, and base64 adds a third. */
const maxAttached = 7_000_000

/**
 * Writes an outgoing message into a thread, in the caller's transaction: an email is queued; in the portal, the patient reads it there. The same key returns the same email, and is
 * refused for other content. Without an actor it is sent by the system.
 */
export async function queueMessage(tx: Db, scope: Scope, conversation: Thread, mail: Outgoing) {
  const [known] = await tx.select().from(messages).where(eq(messages.idempotencyKey, mail.idempotencyKey))
  if (known) return known.conversationId === conversation.id && known.body === mail.text ? known : refuse('KEY_REUSED')
  if (mail.seenUntil && (await hasAnswered(tx, scope, conversation, mail.seenUntil))) return refuse('ANSWERED')
  const isPortal = conversation.channel === 'portal'
  const isText = conversation.channel === 'sms'
  const isEmail = conversation.channel === 'email'
  if (isText && !textingOf(scope.env)) return refuse('NO_TEXTING')
  const phone = isText && !mail.isAnswerToWord ? readPhone(conversation.address) : null
  if (phone && !isInTextedCountry(phone, scope.env)) return refuse('FOREIGN_NUMBER')
  const suppression = isPortal || mail.isAnswerToWord ? null : await suppressionOf(tx, conversation.address)
  if (suppression) return refuse(refusalOf(suppression))
  const isMarketing = await isMarketingTemplate(tx, mail.templateId ?? null)
  if (isMarketing === null) return invalidReference({ templateId: 'This template no longer exists' })
  const isCommercial = mail.isCommercial || isMarketing
  if ((isPortal && isCommercial) || (!isEmail && (mail.documentIds.length > 0 || mail.html !== null))) return refuse('TEXT_ONLY')
  if (
    isText &&
    (await textAsSent(tx, scope, conversation, { text: withShortLinks(scope.env, mail.text), isCommercial })).length > maxTextLength
  )
    return refuse('TOO_LARGE', { fields: { text: tooLongText } }, tooLongText)
  if (isCommercial && !maySendCommercial(scope.env)) return refuse('NO_POSTAL_ADDRESS')
  if (isCommercial && !(await mayReceiveCommercial(tx, scope, { ...conversation, channel: isText ? 'text' : 'email' })))
    return isText ? refuse('NO_CONSENT', undefined, noConsentToTexts) : refuse('NO_CONSENT')
  const pictures = await picturesFor(tx, mail.html)
  if (isRefusal(pictures)) return pictures
  const attached = await attachedOf(tx, conversation, mail.documentIds, pictures)
  if (isRefusal(attached)) return attached
  const isAnnounced = isPortal && (await hasUnreadAnswer(tx, conversation, scope.now()))
  const [row] = await writeMessages(tx, scope, [{ conversation, mail, isCommercial }])
  if (!row) return refuse('KEY_REUSED')
  const { id } = row
  if (attached.length > 0) {
    const rows = attached.map(({ id: documentId, name, mimeType, size }) => ({ messageId: id, documentId, name, mimeType, size }))
    await tx.insert(messageAttachments).values(rows)
  }
  await takePictures(tx, id, pictures)
  for (const { name, mimeType, text } of mail.files ?? [])
    await tx.insert(messageAttachments).values({ messageId: id, name, mimeType, text, size: Buffer.byteLength(text) })
  if (isPortal && !isAnnounced) await enqueue(tx, sendAnswerNotice, { id }, `answer ${id}`)
  return row
}

/** The message that was written with this key to this patient, or KEY_REUSED if it is another one. Null: the key is new. */
export async function sentBefore(
  tx: Db,
  { idempotencyKey, text, subject }: Pick<Outgoing, 'idempotencyKey' | 'text' | 'subject'>,
  to: { contactId: string; address: string },
) {
  const [known] = await tx
    .select({ message: messages, contactId: conversations.contactId, address: conversations.address })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(eq(messages.idempotencyKey, idempotencyKey))
  if (!known) return null
  const isSame =
    known.contactId === to.contactId &&
    known.address === to.address &&
    known.message.body === text &&
    (subject === undefined || known.message.subject === subject)
  return isSame ? known.message : refuse('KEY_REUSED')
}

/** A message that may be sent, and the thread in which it is written. */
export type Checked = { conversation: Thread; mail: Outgoing; isCommercial: boolean }

/**
 * Writes messages that were checked, in the caller's transaction: the rows of all with one statement of each kind. Email and texts are queued. A
 * message whose key was used before is left out of the result.
 */
export async function writeMessages(tx: Db, scope: Scope, wanted: readonly Checked[]): Promise<Message[]> {
  if (wanted.length === 0) return []
  const at = scope.now()
  const texting = textingOf(scope.env)
  const linked = wanted.map((one) => ({ ...one, messageId: uuidv7(), ...linksOf(scope, one) }))
  const rows = await tx
    .insert(messages)
    .values(
      linked.map(({ messageId, conversation: { id, channel, subject, address }, mail, isCommercial, secrets }) => ({
        id: messageId,
        conversationId: id,
        direction: 'outbound' as const,
        fromEmail: channel === 'sms' && texting ? nameOfSender(texting) : scope.env.MAIL_FROM,
        fromName: scope.env.PRACTICE_NAME,
        toEmail: address,
        subject: mail.subject ?? (channel === 'sms' ? subject : replySubject(subject)),
        body: mail.text,
        htmlBody: mail.html,
        // A message in the portal has arrived once it is stored.
        status: channel === 'portal' ? ('sent' as const) : ('queued' as const),
        sentAt: channel === 'portal' ? at : null,
        isCommercial,
        metadata: metadataOf(mail),
        sealedSecret: secrets.length > 0 ? sealSecrets(scope.env, secrets) : null,
        idempotencyKey: mail.idempotencyKey,
        createdBy: scope.actor?.id ?? null,
        createdAt: at,
      })),
    )
    .onConflictDoNothing({ target: messages.idempotencyKey })
    .returning()
  const ids = new Set(rows.map(({ id }) => id))
  await insertLinks(
    tx,
    linked.flatMap(({ messageId, links }) => (ids.has(messageId) ? links.map((link) => ({ ...link, messageId })) : [])),
  )
  const threads = new Map(wanted.map(({ conversation }) => [conversation.id, conversation]))
  const written = rows.map((row) => ({ ...row, thread: threads.get(row.conversationId)! }))
  const threadsWritten = [...new Set(rows.map((row) => row.conversationId))]
  await tx.update(conversations).set({ lastMessageAt: at, status: statusAfterSending }).where(inArray(conversations.id, threadsWritten))
  const ofPatients = written.flatMap((one) => (one.thread.contactId === null ? [] : [{ ...one, contactId: one.thread.contactId }]))
  const contactIds = [...new Set(ofPatients.map(({ contactId }) => contactId))]
  await addEntries(
    tx,
    ofPatients.map(({ contactId, thread, ...row }) => ({
      contactId,
      type: 'email' as const,
      date: at,
      createdBy: scope.actor?.id ?? null,
      description: entryOf(row),
      metadata: {
        conversationId: thread.id,
        messageId: row.id,
        direction: 'outbound',
        ...(thread.channel === 'sms' && { channel: 'sms' }),
      },
    })),
  )
  // An automatic email does not count as a contact.
  if (scope.actor && contactIds.length > 0) await tx.update(contacts).set({ lastContactDate: at }).where(inArray(contacts.id, contactIds))
  await publishEach(tx, 'contact', contactIds)
  await recordChanges(
    tx,
    scope,
    written.map(({ id, subject, thread }) => ({
      action: 'created' as const,
      kind: 'message' as const,
      contactIds: thread.contactId ? [thread.contactId] : [],
      after: { id, conversationId: thread.id, to: thread.address, subject },
    })),
  )
  for (const [origin, after] of sendingOrder) {
    const jobsOf = (channel: Thread['channel']) =>
      written
        .filter((message) => message.thread.channel === channel && (originOf(message)?.kind ?? null) === origin)
        .map(({ id }) => ({ payload: { id }, key: `message ${id}` }))
    await enqueueEach(tx, { ...sendText, ...after }, jobsOf('sms'))
    await enqueueEach(tx, { ...sendMessage, ...after }, jobsOf('email'))
  }
  await announceConversations(tx, threadsWritten)
  return rows
}

/** What staff write leaves before what thousands of patients may be sent at the same time. */
const sendingOrder = [
  [null, {}],
  ['sequence', { after: 'people' }],
  ['campaign', { after: 'all' }],
] as const

function metadataOf({ isAnswerToWord, isFromTemplate, origin }: Outgoing): Message['metadata'] {
  if (isAnswerToWord) return { isAnswerToWord }
  return isFromTemplate || origin ? { ...(isFromTemplate && { isFromTemplate }), ...(origin && { origin }) } : null
}

/** What the reader sees instead of placeholders. In a text to a patient, the addresses of pages for patients become short links. */
function linksOf(scope: Scope, { conversation, mail: { text, secret, linksUntil = null } }: Checked) {
  const secrets = secret ? [secret] : []
  const isText = conversation.channel === 'sms' && conversation.contactId !== null
  return isText ? shortenLinks(scope, { text, secrets, until: linksUntil }) : { secrets, links: [] }
}

/** The refusal of a message to a suppressed address or number. */
export const refusalOf = (suppression: Suppression) =>
  suppression === 'stopped' ? 'STOPPED' : suppression === 'landline' ? 'LANDLINE' : 'SUPPRESSED'

/** Whether a colleague has written in the conversation since. */
async function hasAnswered(tx: Db, scope: Scope, { id }: Thread, since: Date): Promise<boolean> {
  const isColleagues = and(eq(messages.direction, 'outbound'), ne(messages.createdBy, staff(scope).id), gt(messages.createdAt, since))
  return (await tx.$count(messages, and(sql`${messages.conversationId} in ${threadIds(id)}`, isColleagues))) > 0
}

/** Null: the template does not exist. */
async function isMarketingTemplate(tx: Db, templateId: string | null): Promise<boolean | null> {
  if (templateId === null) return false
  const [template] = await tx.select({ category: emailTemplates.category }).from(emailTemplates).where(eq(emailTemplates.id, templateId))
  return template ? isCommercialCategory(template.category) : null
}

async function attachedOf(tx: Db, { contactId }: Thread, documentIds: readonly string[], pictures: readonly Picture[]) {
  const sizeOf = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0)
  if (documentIds.length === 0) {
    return sizeOf(pictures) > maxAttached
      ? refuse('TOO_LARGE', { fields: { html: 'The pictures are too large: 7 MB together at most' } })
      : []
  }
  const rows = await tx
    .select()
    .from(documents)
    .where(and(inArray(documents.id, [...documentIds]), isNull(documents.deletedAt)))
  const theirs = rows.filter((row) => row.contactId === contactId && (row.scanState === 'clean' || row.scanState === 'off'))
  if (theirs.length !== new Set(documentIds).size) return invalidReference({ documentIds: 'The patient has no such document' })
  return sizeOf(theirs) + sizeOf(pictures) > maxAttached
    ? refuse('TOO_LARGE', { fields: { documentIds: 'The attachments are too large' } })
    : theirs
}

/**
 * Sends a message through Postmark, a commercial one once (see once.ts). Any other may be sent twice when a response is lost; the same id in the
 * headers identifies the duplicate. A permanent refusal is shown on the message.
 */
export const sendMessage = defineJob({
  name: 'inbox.send',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 12,
  async run(scope, { id }, { last }) {
    try {
      await tryToSend(scope, id, last)
    } catch (error) {
      if (last) await finish(scope, id, { status: 'failed', problem: 'It was not sent: something went wrong each time it was tried.' })
      throw error
    }
  },
})

async function tryToSend(scope: Scope, id: string, last: boolean): Promise<void> {
  const [found] = await scope.db
    .select({ message: messages, conversation: conversations })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(eq(messages.id, id))
  if (found?.message.status === 'sending') return end(scope, id, 'uncertain', interrupted)
  if (found?.message.status !== 'queued') return
  const { message, conversation } = found
  const mail = await mailOf(scope, message, conversation)
  if (typeof mail === 'string') return finish(scope, id, { status: 'failed', problem: `It was not sent: ${mail}.` })
  const { isCommercial } = message
  if (isCommercial) {
    if (!(await claim(scope, message, (tx) => refusalWhenSent(tx, scope, message, conversation)))) return
  } else {
    const refusal = await refusalWhenSent(scope.db, scope, message, conversation)
    if (refusal) return finish(scope, id, { status: 'failed', problem: `It was not sent: ${refusal}.` })
  }
  const finishSent = (set: Partial<Message>) => finish(scope, id, set, isCommercial ? 'sending' : 'queued')
  const result = await postmarkOf(scope).send(mail)
  if (result.ok) return finishSent({ status: 'sent', messageId: result.messageId, sentAt: scope.now(), problem: null, sealedSecret: null })
  const isUncertain = isCommercial && result.isUncertain
  const isRetried = result.retryable && !last && !isUncertain
  scope.log.warn({ messageId: id, kind: result.kind, retried: isRetried }, 'Postmark did not accept a message')
  if (isUncertain) return finishSent({ status: 'uncertain', problem: 'Postmark did not confirm that it took the email.' })
  if (isRetried) {
    await finishSent({ status: 'queued', problem: 'Postmark does not answer. Refyne will try again.' })
    throw new Error(`mail ${result.kind}`)
  }
  await finishSent({ status: 'failed', problem: result.message })
}

/** Asked again when it is sent: while queued, the address may have been suppressed or the consent withdrawn. */
async function refusalWhenSent(db: Db, scope: Scope, { toEmail, isCommercial }: Message, conversation: Thread): Promise<string | null> {
  const suppression = await suppressionOf(db, toEmail)
  if (suppression) return suppressionReasons[suppression]
  if (isCommercial && !(await mayReceiveCommercial(db, scope, { ...conversation, channel: 'email' })))
    return 'the patient no longer consents to commercial email'
  return null
}

function postmarkOf({ env }: Pick<Scope, 'env'>) {
  return createPostmark({ token: env.POSTMARK_TOKEN, ...(env.POSTMARK_URL ? { baseUrl: env.POSTMARK_URL } : {}) })
}

/** A string names the missing part, permanently. */
async function mailOf(scope: Scope, given: Message, conversation: Thread): Promise<OutgoingMail | string> {
  const attached = await scope.db
    .select({
      name: messageAttachments.name,
      mimeType: messageAttachments.mimeType,
      text: messageAttachments.text,
      contentId: messageAttachments.contentId,
      storageKey: sql<string | null>`coalesce(${documents.storageKey}, ${messageAttachments.storageKey})`,
    })
    .from(messageAttachments)
    .leftJoin(documents, and(eq(documents.id, messageAttachments.documentId), isNull(documents.deletedAt)))
    .where(eq(messageAttachments.messageId, given.id))
    .orderBy(messageAttachments.id)
  const secrets = given.sealedSecret === null ? [] : openSecrets(scope.env, given.sealedSecret)
  if (secrets === null) return 'its link can no longer be decrypted'
  const htmlBody = given.htmlBody && fillPlaceholders(secrets, given.htmlBody)
  const message = { ...given, body: fillPlaceholders(secrets, given.body), htmlBody }
  const own: Parts = { textBody: message.body, htmlBody: message.htmlBody, headers: [{ name: 'X-Refyne-Message', value: message.id }] }
  const { contactId } = conversation
  const parts =
    message.isCommercial && contactId
      ? withUnsubscribing(scope.env, { contactId, address: message.toEmail }, await languageOf(scope.db, contactId), own)
      : own
  // What staff write without formatting and signature is plain text: it has no letterhead.
  const headed = parts.htmlBody ? await withLetterhead(scope, parts.htmlBody) : null
  const files = []
  for (const { name, mimeType, text, contentId, storageKey } of attached) {
    const contentBase64 = text === null ? await base64Of(scope, storageKey) : Buffer.from(text).toString('base64')
    if (contentBase64 === null) return `${name} was deleted`
    files.push({ name, contentType: mimeType, contentBase64, ...(contentId !== null && { contentId: `cid:${contentId}` }) })
  }
  return {
    from: senderOf(scope.env, message.fromEmail),
    to: message.toEmail,
    subject: message.subject,
    textBody: parts.textBody,
    ...(headed ? { htmlBody: headed.html } : {}),
    replyTo: replyAddress(scope.env.MAIL_REPLY_TO, conversation.threadId),
    messageStream: 'outbound',
    headers: parts.headers,
    attachments: headed?.picture ? [...files, headed.picture] : files,
  }
}

/** Null: the bytes no longer exist. */
async function base64Of({ files }: Pick<Scope, 'files'>, storageKey: string | null): Promise<string | null> {
  const file = storageKey === null ? null : await files.get(storageKey)
  if (!file) return null
  return Buffer.from(await new Response(file.bytes).arrayBuffer()).toString('base64')
}

/** Changes a message that is still in this state. */
async function finish(scope: Scope, id: string, set: Partial<Message>, from: 'queued' | 'sending' = 'queued'): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const [row] = await tx
      .update(messages)
      .set(set)
      .where(and(eq(messages.id, id), eq(messages.status, from)))
      .returning({ conversationId: messages.conversationId })
    if (row) await announceConversation(tx, row.conversationId)
  })
}
