import pLimit from 'p-limit'
import type { MailMessage, MailThread, Place, ThreadsAsked } from '../../integrations/mailbox/mailbox.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { contactsWithEmails } from '../../crm/contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { textOfHtml } from '../../platform/mail/service.ts'
import { bodyOf } from './bodies.ts'
import { addressOf, announceMailbox, type Connection, connectionOf } from './connection.ts'
import { linksOf, logLater, logMessages } from './links.ts'
import { newMail } from './rules.ts'
import { ask, askOf } from './use.ts'

/** The maximum number of characters shown. */
const maxWords = 50_000

export async function folders(scope: Scope) {
  const asked = await ask(scope, (mailbox) => mailbox.folders())
  if (!isRefusal(asked)) return asked.value
  // Every mailbox has folders.
  return asked.refusal === 'NOT_FOUND' ? refuse('AWAY') : asked
}

/** A page of threads, each with its linked patient. */
export async function threads(scope: Scope, given: ThreadsAsked) {
  const asked = await ask(scope, (mailbox) => mailbox.threads(given))
  if (isRefusal(asked)) return asked
  const { value, connection } = asked
  return { data: await withContacts(scope, connection, value.threads), nextCursor: value.nextCursor }
}

async function withContacts<Thread extends Pick<MailThread, 'id'>>(scope: Scope, connection: Connection, rows: readonly Thread[]) {
  const links = await linksOf(
    scope.db,
    connection,
    rows.map(({ id }) => id),
  )
  const contactIds = [...new Set([...links.values()].map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'mailbox thread', contactIds })
  return rows.map((row) => ({ ...row, contact: links.get(row.id)?.contact ?? null }))
}

/** A thread with its sanitized messages, and the patients who own its addresses. */
export async function thread(scope: Scope, id: string) {
  const asked = await ask(scope, (mailbox) => mailbox.thread(id))
  if (isRefusal(asked)) return asked
  const { value, connection } = asked
  const inTurn = pLimit(4)
  const [[row], messages, known] = await Promise.all([
    withContacts(scope, connection, [value.thread]),
    Promise.all(value.messages.map((message) => inTurn(() => shown(connection, message)))),
    knownAmong(scope, connection, value.messages),
  ])
  const link = (await linksOf(scope.db, connection, [id])).get(id)
  if (link) await logMessages(scope, link, value.messages)
  return { ...row!, messages, known }
}

async function shown({ id: connectionId }: Connection, message: MailMessage) {
  const { html, ...body } = await bodyOf(connectionId, message)
  return { ...message, ...body, text: (message.text ?? textOfHtml(html ?? '')).trim().slice(0, maxWords), htmlBody: html }
}

/** The owners of the addresses, without the mailbox's own. */
async function knownAmong(scope: Scope, connection: Connection, messages: readonly MailMessage[]) {
  const all = messages.flatMap(({ from, to, cc }) => [...(from ? [from] : []), ...to, ...cc].map(({ email }) => addressKey(email)))
  const others = [...new Set(all)].filter((email) => email !== addressOf(connection)).slice(0, 100)
  const found = await contactsWithEmails(scope.db, others)
  if (found.length > 0) await scope.recordView({ kind: 'contact', contactIds: [...new Set(found.map(({ contact }) => contact.id))] })
  return found
}

type Change = { unread?: boolean | undefined; place?: Place | undefined }

export async function changeThread(scope: Scope, { id, ...change }: Change & { id: string }) {
  const asked = await ask(scope, (mailbox) => mailbox.change(id, change))
  if (isRefusal(asked)) return asked
  await announceMailbox(scope.db, staff(scope).id)
  return { id }
}

type NewMessages = { grantId: string; limit: number; folder: string; unread?: boolean | undefined }

/** Spec 7: new email in a folder of the actor's mailbox, in Nylas' format. Null: another user's mailbox. */
export async function newMessages(scope: Scope, { grantId, limit, folder, unread }: NewMessages) {
  const connection = await connectionOf(scope.db, staff(scope).id)
  if (connection?.id !== grantId) return null
  const asked = await askOf(scope, connection, async (mailbox) => {
    const id = folder === newMail.folder ? await inboxOf(mailbox) : { ok: true as const, value: folder }
    return id.ok ? mailbox.messages({ folder: id.value, unread, limit }) : id
  })
  if (isRefusal(asked)) return asked
  const links = await linksOf(
    scope.db,
    connection,
    asked.value.map(({ threadId }) => threadId),
  )
  for (const { id } of links.values()) await logLater(scope.db, id)
  return {
    data: asked.value.map(({ id, threadId, from, subject, snippet, date, isUnread }) => ({
      id,
      thread_id: threadId,
      from: from ? [from] : [],
      subject,
      snippet,
      date: Math.floor(date.getTime() / 1000),
      unread: isUnread,
    })),
  }
}

/** The spec's `folder=INBOX` is the folder with that attribute. */
async function inboxOf(mailbox: Parameters<Parameters<typeof askOf>[2]>[0]) {
  const listed = await mailbox.folders()
  if (!listed.ok) return listed
  const inbox = listed.value.find(({ role }) => role === 'inbox')
  return inbox
    ? { ok: true as const, value: inbox.id }
    : { ok: false as const, kind: 'missing' as const, message: 'There is no inbox', isUncertain: false }
}
