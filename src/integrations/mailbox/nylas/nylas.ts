/** A mailbox at any provider, through Nylas' API version 3 over the vendor's own package. A refusal or an outage is a value, never thrown. */
import pLimit from 'p-limit'
import type { z } from 'zod'
import { failure, isId } from '../failure.ts'
import {
  type Failure,
  type Mailbox,
  type MailThread,
  type MessageHead,
  maxMessages,
  type OutgoingMail,
  type Person,
  type Place,
  type Result,
  type ThreadPage,
  type ThreadsAsked,
} from '../mailbox.ts'
import { ask, type NylasAccount, nylasClient } from './client.ts'
import { nylasFailure } from './failure.ts'
import { type Folders, foldersOf, isDraft, isHidden, isOwn, movedTo } from './folders.ts'
import * as shapes from './shapes.ts'
import { inTime, patient } from '../timeouts.ts'

export type NylasOptions = NylasAccount & {
  grantId: string
  /** The mailbox's own address; asked for where it is needed and not given. */
  email?: string
}

/** Nylas gives no more at once. */
const maxParallel = 200
/** Calls for one page of what is looked through here, so that a rare find does not read the whole mailbox. */
const maxPages = 5
const movesAtOnce = 4

const noSuch = (what: string): Failure => failure('missing', `No such ${what}`)

export function openNylas({ grantId: identifier, email, ...account }: NylasOptions): Mailbox {
  const nylas = nylasClient(account)
  const { timeoutSeconds } = account
  let known: Promise<Result<Folders>> | undefined
  let own: Promise<Result<string>> | undefined = email === undefined ? undefined : Promise.resolve({ ok: true, value: email })

  const read = <Shape extends z.ZodType>(call: () => Promise<unknown>, shape: Shape) => ask(call, shape, account)

  async function readFolders(): Promise<Result<Folders>> {
    const all: z.output<typeof shapes.folder>[] = []
    for (let pageToken: string | undefined; ;) {
      const queryParams = { limit: maxParallel, ...(pageToken && { pageToken }) }
      const page = await read(() => nylas.folders.list({ identifier, queryParams }), shapes.page(shapes.folder))
      if (!page.ok) return page
      all.push(...page.value.data)
      if (!page.value.nextCursor || page.value.data.length === 0) return { ok: true, value: foldersOf(all) }
      pageToken = page.value.nextCursor
    }
  }

  /** As they were when this mailbox was opened; what failed is asked for again. */
  async function folders(): Promise<Result<Folders>> {
    known ??= readFolders()
    const result = await known
    if (!result.ok) known = undefined
    return result
  }

  async function address(): Promise<Result<string>> {
    own ??= read(() => nylas.grants.find({ grantId: identifier }), shapes.grant).then((result) =>
      result.ok ? { ok: true, value: result.value.data.email } : result,
    )
    const result = await own
    if (!result.ok) own = undefined
    return result
  }

  async function context(): Promise<Result<{ folders: Folders; email: string }>> {
    const [all, mine] = await Promise.all([folders(), address()])
    if (!all.ok) return all
    return mine.ok ? { ok: true, value: { folders: all.value, email: mine.value } } : mine
  }

  async function threadPage({ folder, search, unread, cursor, limit }: ThreadsAsked) {
    const queryParams = {
      limit: Math.min(limit, maxParallel),
      ...(folder !== undefined && { in: [folder] }),
      ...(cursor !== undefined && { pageToken: cursor }),
      // The provider's own search stands beside these alone.
      ...(search ? { searchQueryNative: search } : unread !== undefined && { unread }),
    }
    return await read(() => nylas.threads.list({ identifier, queryParams }), shapes.page(shapes.thread))
  }

  /** Nylas leaves nothing out by itself, so that pages are filled from the next ones. */
  async function threads(asked: ThreadsAsked): Promise<Result<ThreadPage>> {
    const all = asked.folder === undefined ? await folders() : null
    if (all && !all.ok) return all
    const search = all?.value.labels ? searchOfGoogle(asked) : asked.search
    const fits = ({ isUnread, folders: placed }: MailThread) =>
      (asked.unread === undefined || isUnread === asked.unread) && !(all && isHidden(all.value, placed))
    const found: MailThread[] = []
    let cursor = asked.cursor
    for (let pages = 0; pages < maxPages && found.length < asked.limit; pages++) {
      const page = await threadPage({ ...asked, search, cursor, limit: asked.limit - found.length })
      if (!page.ok) return page
      found.push(...page.value.data.map(shapes.threadOf).filter(fits))
      cursor = page.value.nextCursor ?? undefined
      if (cursor === undefined) break
    }
    return { ok: true, value: { threads: found, nextCursor: cursor ?? null } }
  }

  async function thread(id: string) {
    if (!isId(id)) return noSuch('thread')
    const queryParams = { threadId: id, limit: maxMessages }
    const [about, found, listed] = await Promise.all([
      context(),
      read(() => nylas.threads.find({ identifier, threadId: id }), shapes.one(shapes.thread)),
      read(() => nylas.messages.list({ identifier, queryParams }), shapes.page(shapes.message)),
    ])
    if (!about.ok) return about
    if (!found.ok) return found
    if (!listed.ok) return listed
    const { folders: all, email: mine } = about.value
    const messages = listed.value.data
      .filter((message) => !isDraft(all, message))
      .map((message) => shapes.messageOf(message, (one) => isOwn(all, mine, one)))
      .toReversed()
      .toSorted((a, b) => a.date.getTime() - b.date.getTime())
    return { ok: true as const, value: { thread: shapes.threadOf(found.value.data), messages } }
  }

  async function message(id: string) {
    if (!isId(id)) return noSuch('message')
    const call = () => nylas.messages.find({ identifier, messageId: id })
    const [about, found] = await Promise.all([context(), read(call, shapes.one(shapes.message))])
    if (!about.ok) return about
    if (!found.ok) return found
    const { folders: all, email: mine } = about.value
    return { ok: true as const, value: shapes.messageOf(found.value.data, (one) => isOwn(all, mine, one)) }
  }

  async function messages({ folder, unread, limit }: Parameters<Mailbox['messages']>[0]): Promise<Result<MessageHead[]>> {
    const select = 'id,thread_id,from,subject,snippet,date,unread'
    const queryParams = { in: [folder], limit: Math.min(limit, maxParallel), select, ...(unread !== undefined && { unread }) }
    const listed = await read(() => nylas.messages.list({ identifier, queryParams }), shapes.page(shapes.head))
    return listed.ok ? { ok: true, value: listed.value.data.map(shapes.headOf) } : listed
  }

  async function attachment(messageId: string, id: string): Promise<Result<ReadableStream<Uint8Array>>> {
    if (!isId(id) || !isId(messageId)) return noSuch('attachment')
    try {
      const download = nylas.attachments.download({ identifier, attachmentId: id, queryParams: { messageId } })
      const stream = await inTime(download, timeoutSeconds)
      return { ok: true, value: patient(stream, timeoutSeconds) }
    } catch (error) {
      return nylasFailure(error, false)
    }
  }

  async function change(threadId: string, { unread, place }: Parameters<Mailbox['change']>[1]): Promise<Result<null>> {
    if (!isId(threadId)) return noSuch('thread')
    if (unread !== undefined) {
      const changed = await read(() => nylas.threads.update({ identifier, threadId, requestBody: { unread } }), shapes.one(shapes.thread))
      if (!changed.ok) return changed
    }
    return place === undefined ? { ok: true, value: null } : await move(threadId, place)
  }

  /** Each message by itself: a thread's folders, set as one, would take the labels of each message from the others and mail out of what was sent. */
  async function move(threadId: string, place: Place): Promise<Result<null>> {
    const about = await context()
    if (!about.ok) return about
    const queryParams = { threadId, limit: maxParallel, select: 'id,object,from,folders' }
    const listed = await read(() => nylas.messages.list({ identifier, queryParams }), shapes.page(shapes.placed))
    if (!listed.ok) return listed
    if (listed.value.data.length === 0) return noSuch('thread')
    const inTurn = pLimit(movesAtOnce)
    const kept = listed.value.data.filter((one) => !isDraft(about.value.folders, one))
    const moves = kept.map((one) =>
      inTurn(async (): Promise<Result<null>> => {
        const to = movedTo(place, one, about.value)
        if (!to) return failure('refused', `This mailbox has no ${place}`)
        return isSameSet(to, one.folders) ? { ok: true, value: null } : await put(one.id, to)
      }),
    )
    return (await Promise.all(moves)).find(({ ok }) => !ok) ?? { ok: true, value: null }
  }

  async function put(messageId: string, to: string[]): Promise<Result<null>> {
    const moved = await read(() => nylas.messages.update({ identifier, messageId, requestBody: { folders: to } }), shapes.one(shapes.moved))
    return moved.ok ? { ok: true, value: null } : moved
  }

  async function send(mail: OutgoingMail): Promise<Result<{ messageId: string; threadId: string }>> {
    const result = await ask(() => nylas.messages.send({ identifier, requestBody: requestOf(mail) }), shapes.sent, {
      ...account,
      isSend: true,
    })
    if (!result.ok) return result
    const { id, threadId } = result.value.data
    return { ok: true, value: { messageId: id, threadId: threadId || (mail.answers?.threadId ?? '') } }
  }

  return {
    async folders() {
      known = undefined
      const result = await folders()
      return result.ok ? { ok: true, value: result.value.list } : result
    },
    threads,
    thread,
    messages,
    message,
    attachment,
    change,
    send,
  }
}

/** Its labels tell no more of a thread than which ones its messages have together; its search looks at each message, and leaves spam and trash out. */
const searchOfGoogle = ({ search, unread }: ThreadsAsked): string =>
  [search || '-in:spam -in:trash', ...(unread ? ['is:unread'] : [])].join(' ')

/** The plain words are left out: Nylas takes one body, and makes the other of it. */
function requestOf({ to, cc, bcc, subject, html, answers, attachments }: OutgoingMail) {
  const listed = (people: readonly Person[]) => people.map(({ name, email }) => (name ? { name, email } : { email }))
  return {
    to: listed(to),
    ...(cc.length > 0 && { cc: listed(cc) }),
    ...(bcc.length > 0 && { bcc: listed(bcc) }),
    subject,
    body: html,
    ...(answers && { replyToMessageId: answers.messageId }),
    // With buffers and sizes the package itself decides between JSON and a form.
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, mimeType, bytes }) => ({
        filename: name,
        contentType: mimeType,
        content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        size: bytes.byteLength,
      })),
    }),
  }
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one))
