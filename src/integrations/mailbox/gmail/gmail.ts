/** A Gmail mailbox through its REST API. A refusal or an outage is a value, never thrown. */
import pLimit from 'p-limit'
import type { z } from 'zod'
import { failure, isId } from '../failure.ts'
import { inOrder } from '../folders.ts'
import { createGmailClient, type GmailAccount, type GmailTokens, type Query } from './client.ts'
import { composed, maxInline, type Sender, upload } from './compose.ts'
import { distantTexts, fileNamed } from './parts.ts'
import * as shapes from './shapes.ts'
import {
  type Failure,
  type Mailbox,
  type MailFolder,
  type MailThread,
  type MessageHead,
  maxMessages,
  type OutgoingMail,
  type Place,
  type Result,
  type ThreadPage,
  type ThreadsAsked,
} from '../mailbox.ts'

export type { GmailTokens } from './client.ts'

export type GmailOptions = GmailAccount & {
  tokens: GmailTokens
  /** Stores renewed tokens; awaited before they are used. */
  onTokens: (tokens: GmailTokens) => Promise<void>
}

/** The maximum number of calls per filtered page, so a rare match does not read the whole mailbox. */
const maxPages = 5
const maxParallel = 8

const noSuch = (what: string): Failure => failure('missing', `No such ${what}`)

/** Archiving removes the inbox label: there is no archive folder. */
const placeChanges: Record<Place, { add: string[]; remove: string[] }> = {
  inbox: { add: ['INBOX'], remove: ['SPAM', 'TRASH'] },
  archive: { add: [], remove: ['INBOX', 'SPAM', 'TRASH'] },
  trash: { add: ['TRASH'], remove: ['INBOX', 'SPAM'] },
}

export function openGmail({ tokens, onTokens, ...account }: GmailOptions): Mailbox {
  const ask = createGmailClient(account, tokens, onTokens)
  let known: Promise<Result<Sender | null>> | undefined

  const get = <Shape extends z.ZodType>(path: string, shape: Shape, query?: Query) => ask({ path, ...(query && { query }) }, shape)
  const at = (...parts: string[]) => parts.map(encodeURIComponent).join('/')

  async function folders(): Promise<Result<MailFolder[]>> {
    const listed = await get('labels', shapes.labels)
    if (!listed.ok) return listed
    const counted = await each(shapes.shownLabels(listed.value.labels), async (one): Promise<Result<MailFolder>> => {
      const counts = await get(at('labels', one.id), shapes.label)
      return counts.ok ? { ok: true, value: shapes.folderOf(one, counts.value) } : counts
    })
    return counted.ok ? { ok: true, value: inOrder(counted.value) } : counted
  }

  async function threads(asked: ThreadsAsked): Promise<Result<ThreadPage>> {
    const found: MailThread[] = []
    let cursor = asked.cursor
    for (let pages = 0; pages < maxPages && found.length < asked.limit; pages++) {
      const query = {
        ...labelled(asked.folder, asked.unread === true),
        maxResults: String(asked.limit - found.length),
        pageToken: cursor,
        q: asked.search || undefined,
      }
      const page = await get('threads', shapes.threads, query)
      if (!page.ok) return page
      const read = await each(page.value.threads, ({ id }) =>
        get(at('threads', id), shapes.thread, { format: 'metadata', metadataHeaders: shapes.listedHeaders }),
      )
      if (!read.ok) return read
      const shown = read.value.map(shapes.threadOf)
      found.push(...shown.filter(({ isUnread }) => asked.unread === undefined || isUnread === asked.unread))
      cursor = page.value.nextPageToken
      if (cursor === undefined) break
    }
    return { ok: true, value: { threads: found, nextCursor: cursor ?? null } }
  }

  async function thread(id: string) {
    if (!isId(id)) return noSuch('thread')
    const found = await get(at('threads', id), shapes.thread, { format: 'full' })
    if (!found.ok) return found
    const kept = found.value.messages
      .filter((message) => !shapes.isDraft(message))
      .toSorted((a, b) => a.internalDate - b.internalDate)
      .slice(-maxMessages)
    const messages = await each(kept, whole)
    if (!messages.ok) return messages
    return { ok: true as const, value: { thread: shapes.threadOf(found.value), messages: messages.value.map(shapes.messageOf) } }
  }

  async function readMessage(id: string): Promise<Result<shapes.GmailMessage>> {
    return isId(id) ? await get(at('messages', id), shapes.message, { format: 'full' }) : noSuch('message')
  }

  async function message(id: string) {
    const found = await readMessage(id)
    const read = found.ok ? await whole(found.value) : found
    return read.ok ? { ok: true as const, value: shapes.messageOf(read.value) } : read
  }

  /** Includes text that Gmail omitted because of its length. */
  async function whole(message: shapes.GmailMessage): Promise<Result<shapes.GmailMessage>> {
    for (const { body } of distantTexts(message.payload)) {
      const read = await get(at('messages', message.id, 'attachments', body.attachmentId ?? ''), shapes.attachment)
      if (!read.ok) return read
      body.data = read.value.data
    }
    return { ok: true, value: message }
  }

  async function messages({ folder, unread, limit }: Parameters<Mailbox['messages']>[0]): Promise<Result<MessageHead[]>> {
    const query = { ...labelled(folder, unread === true), maxResults: String(limit), q: unread === false ? 'is:read' : undefined }
    const listed = await get('messages', shapes.messages, query)
    if (!listed.ok) return listed
    const read = await each(listed.value.messages, ({ id }) =>
      get(at('messages', id), shapes.message, { format: 'metadata', metadataHeaders: shapes.listedHeaders }),
    )
    return read.ok ? { ok: true, value: read.value.map(shapes.headOf) } : read
  }

  /** By part number: Gmail's own file id changes each time its message is read. */
  async function attachment(messageId: string, id: string): Promise<Result<ReadableStream<Uint8Array>>> {
    const found = await readMessage(messageId)
    if (!found.ok) return found
    const body = fileNamed(found.value.payload, id)?.body
    if (!body) return noSuch('attachment')
    if (body.data !== undefined || body.attachmentId === undefined) return { ok: true, value: streamOf(body.data ?? '') }
    const read = await get(at('messages', messageId, 'attachments', body.attachmentId), shapes.attachment)
    return read.ok ? { ok: true, value: streamOf(read.value.data) } : read
  }

  async function change(threadId: string, { unread, place }: Parameters<Mailbox['change']>[1]): Promise<Result<null>> {
    if (!isId(threadId)) return noSuch('thread')
    const { add, remove } = place ? placeChanges[place] : { add: [], remove: [] }
    const addLabelIds = [...add, ...(unread === true ? ['UNREAD'] : [])]
    const removeLabelIds = [...remove, ...(unread === false ? ['UNREAD'] : [])]
    if (addLabelIds.length + removeLabelIds.length === 0) return { ok: true, value: null }
    const path = `${at('threads', threadId)}/modify`
    const changed = await ask({ method: 'POST', path, body: { addLabelIds, removeLabelIds } }, shapes.reference)
    return changed.ok ? { ok: true, value: null } : changed
  }

  /** Null: Gmail does not report it, and fills it in itself. */
  async function sender(): Promise<Result<Sender | null>> {
    known ??= get('settings/sendAs', shapes.senders).then((read): Result<Sender | null> => {
      if (!read.ok) return read.kind === 'refused' || read.kind === 'missing' ? { ok: true, value: null } : read
      const { sendAs } = read.value
      const chosen = sendAs.find(({ isDefault }) => isDefault) ?? sendAs.find(({ isPrimary }) => isPrimary)
      if (!chosen) return { ok: true, value: null }
      const { displayName: name, sendAsEmail: email, replyToAddress: replyTo } = chosen
      return { ok: true, value: { name, email, replyTo } }
    })
    const result = await known
    if (!result.ok) known = undefined
    return result
  }

  async function headersOf(id: string): Promise<Result<shapes.GmailMessage>> {
    if (!isId(id)) return noSuch('message')
    return await get(at('messages', id), shapes.message, { format: 'metadata', metadataHeaders: ['Message-ID', 'References'] })
  }

  async function send(mail: OutgoingMail): Promise<Result<{ messageId: string; threadId: string }>> {
    const [from, answered] = await Promise.all([sender(), mail.answers ? headersOf(mail.answers.messageId) : null])
    if (!from.ok) return from
    if (answered && !answered.ok) return answered
    const raw = await composed(mail, from.value, answered?.value ?? null)
    const about = mail.answers ? { threadId: mail.answers.threadId } : {}
    const body =
      raw.length > maxInline
        ? { upload: upload(about, raw), query: { uploadType: 'multipart' } }
        : { body: { ...about, raw: raw.toString('base64url') } }
    const sent = await ask({ method: 'POST', path: 'messages/send', ...body, isSend: true }, shapes.sent)
    return sent.ok ? { ok: true, value: { messageId: sent.value.id, threadId: sent.value.threadId } } : sent
  }

  return { folders, threads, thread, messages, message, attachment, change, send }
}

/** Spam and trash are left out unless requested. */
function labelled(folder: string | undefined, isUnread: boolean): Query {
  const labelIds = [...(folder === undefined ? [] : [folder]), ...(isUnread ? ['UNREAD'] : [])]
  return { labelIds, ...((folder === 'SPAM' || folder === 'TRASH') && { includeSpamTrash: 'true' }) }
}

/** All items, in order. Items deleted since they were listed are left out; any other failure stops the rest. */
async function each<Given, Value>(given: readonly Given[], read: (one: Given) => Promise<Result<Value>>): Promise<Result<Value[]>> {
  const inTurn = pLimit(maxParallel)
  let failed: Failure | undefined
  const results = await Promise.all(
    given.map((one) =>
      inTurn(async () => {
        if (failed) return failed
        const result = await read(one)
        if (!result.ok && result.kind !== 'missing') failed = result
        return result
      }),
    ),
  )
  return failed ?? { ok: true, value: results.flatMap((result) => (result.ok ? [result.value] : [])) }
}

const streamOf = (data: string): ReadableStream<Uint8Array> => new Blob([Buffer.from(data, 'base64url')]).stream()
