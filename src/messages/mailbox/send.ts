import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import {
  type Failure,
  type Mailbox,
  type MailMessage,
  maxMessages,
  type OutgoingMail,
  type Result,
} from '../../integrations/mailbox/mailbox.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { sanitiseMail, sanitiseWritten, textOfHtml } from '../../platform/mail/service.ts'
import { textOfWritten } from '../../platform/mail/written-rules.ts'
import { signed } from '../signatures/service.ts'
import { announceDraft, announceMailbox, type Connection, connectionAtWork, loseConnection, openMailbox } from './connection.ts'
import { logLater, newestLink } from './links.ts'
import { type Quoted, written } from './quote.ts'
import { mailboxDraftFiles, mailboxDrafts } from './table.ts'

type Draft = typeof mailboxDrafts.$inferSelect

const problems = {
  none: 'Your mailbox is no longer connected. Connect it again, and send this once more.',
  away: 'Your mailbox did not answer for a while. Nothing was sent.',
  missing: 'The email that this answers is no longer in your mailbox.',
  file: 'A file of this email can no longer be found. Take it out and add it again.',
  broken: 'Something here failed again and again. Nothing was sent. Try again later, or take its files out and add them again.',
  unsure: 'Your mailbox did not say whether it took this email, and it is not among what was sent. Look for it before you send it again.',
  unseen: 'Your mailbox did not say whether it took this email, and it cannot be looked for here. Look for it before you send it again.',
}

/**
 * Sends a draft from its owner's mailbox. Providers have no idempotency keys, so an email is handed over once: if no response came or the
 * process died, it is looked up among the sent email, and otherwise its author is asked.
 */
export const sendDraft = defineJob({
  name: 'mailbox.send',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 8,
  async run(scope, { id }, { last }) {
    try {
      await attempt(scope, id, last)
    } catch (error) {
      // No more retries: the draft becomes editable again instead of staying queued forever.
      const draft = last ? await toSend(scope, id) : null
      if (draft) await giveUp(scope, draft, problems.broken)
      throw error
    }
  },
})

async function toSend(scope: Scope, id: string): Promise<Draft | null> {
  const [draft] = await scope.db.select().from(mailboxDrafts).where(eq(mailboxDrafts.id, id))
  return draft?.state === 'sending' ? draft : null
}

async function attempt(scope: Scope, id: string, last: boolean): Promise<void> {
  const draft = await toSend(scope, id)
  if (!draft) return
  const connection = await connectionAtWork(scope.db, draft.userId)
  const mailbox = connection && openMailbox(scope, connection)
  if (!mailbox) return giveUp(scope, draft, problems.none)
  if (draft.handedOverAt) return resolveUncertain(scope, draft, { connection, mailbox, since: draft.handedOverAt, last })

  const own = await ownFiles(scope, id)
  if (!own) return fail(scope, draft, problems.file)
  const mail = await mailOf(scope, draft, mailbox, own)
  if (!mail.ok) return giveUpOrRetry(scope, { draft, connection, last }, mail)
  const since = scope.now()
  await scope.db.update(mailboxDrafts).set({ handedOverAt: since }).where(eq(mailboxDrafts.id, id))
  const sent = await mailbox.send(mail.value)
  if (sent.ok) return finish(scope, draft, { connection, threadId: sent.value.threadId })
  scope.log.warn({ draftId: id, kind: sent.kind, isUncertain: sent.isUncertain }, 'A mailbox did not accept an email')
  // It may still be in transit: it is looked up a moment later.
  if (sent.isUncertain && !last) throw new Error(`mailbox ${sent.kind}`)
  if (sent.isUncertain) return resolveUncertain(scope, draft, { connection, mailbox, since, last })
  await scope.db.update(mailboxDrafts).set({ handedOverAt: null }).where(eq(mailboxDrafts.id, id))
  return giveUpOrRetry(scope, { draft, connection, last }, sent)
}

async function giveUpOrRetry(
  scope: Scope,
  { draft, connection, last }: { draft: Draft; connection: Connection; last: boolean },
  { kind, message }: Failure,
): Promise<void> {
  if (kind === 'reconnect') {
    await loseConnection(scope, connection)
    return fail(scope, draft, problems.none)
  }
  if (kind === 'missing') return fail(scope, draft, problems.missing)
  if (kind === 'refused') return fail(scope, draft, `Your mailbox refused this email: ${message}`.slice(0, 500))
  if (last) return fail(scope, draft, problems.away)
  throw new Error(`mailbox ${kind}`)
}

type Uncertain = { connection: Connection; mailbox: Mailbox; since: Date; last: boolean }

/** Milliseconds: tolerance for clock differences. */
const margin = 60_000

/** Handed over without a response: looks up whether it was sent. */
async function resolveUncertain(scope: Scope, draft: Draft, { connection, mailbox, since, last }: Uncertain): Promise<void> {
  const found = await findSent(mailbox, draft, since)
  if (found.ok && found.value) return finish(scope, draft, { connection, threadId: found.value.threadId })
  if (!found.ok && !last) throw new Error(`mailbox ${found.kind}`)
  await stop(scope, draft, { state: 'unsure', problem: found.ok ? problems.unsure : problems.unseen })
}

async function findSent(mailbox: Mailbox, draft: Draft, since: Date): Promise<Result<MailMessage | null>> {
  const folders = await mailbox.folders()
  if (!folders.ok) return folders
  const sent = folders.value.find(({ role }) => role === 'sent')
  if (!sent) return { ok: true, value: null }
  const heads = await mailbox.messages({ folder: sent.id, limit: maxMessages })
  if (!heads.ok) return heads
  const alike = heads.value.filter(({ subject, date }) => subject === draft.subject && date.getTime() >= since.getTime() - margin)
  for (const { id } of alike) {
    const message = await mailbox.message(id)
    if (!message.ok) return message
    if (addressesOf(message.value) === addressesOf(draft)) return message
  }
  return { ok: true, value: null }
}

const addressesOf = ({ to, cc }: Pick<Draft, 'to' | 'cc'>): string =>
  [...to, ...cc]
    .map(({ email }) => addressKey(email))
    .toSorted()
    .join(' ')

type Files = OutgoingMail['attachments']

/** The complete email: with the quoted or forwarded email below, and the files. */
async function mailOf(scope: Scope, draft: Draft, mailbox: Mailbox, own: Files): Promise<Result<OutgoingMail>> {
  const quoted = draft.answers ? await mailbox.message(draft.answers.messageId) : null
  if (quoted && !quoted.ok) return quoted
  const passedOn = quoted && draft.kind === 'forward' ? await filesOf(mailbox, quoted.value) : { ok: true as const, value: [] }
  if (!passedOn.ok) return passedOn
  const { to, cc, bcc, subject } = draft
  const words = await wordsOf(scope, draft)
  const body = written(words, draft.kind, quoted && (await quotedOf(quoted.value)), scope.env.PRACTICE_TIME_ZONE)
  const attachments = [...passedOn.value, ...own]
  return { ok: true, value: { to, cc, bcc, subject, ...body, answers: draft.kind === 'reply' ? draft.answers : null, attachments } }
}

/** What the author wrote, with the signature. */
async function wordsOf({ db }: Scope, { userId, text, html: given, withSignature }: Draft) {
  const html = given === null ? null : await sanitiseWritten(given)
  // Without its formatting if that is more than someone writes.
  const words = html === null ? { text, html: null } : { text: textOfWritten(html), html }
  return withSignature ? signed(db, userId, null, words) : words
}

/** Quoted text is sent by the clinic, so it is sanitized like displayed email. Remote images are left out. */
async function quotedOf({ html, text, ...message }: MailMessage): Promise<Quoted> {
  const safe = html === null ? null : ((await sanitiseMail(html))?.html ?? null)
  return { ...message, html: safe, text: text ?? textOfHtml(safe ?? '') }
}

async function filesOf(mailbox: Mailbox, { id, attachments }: MailMessage): Promise<Result<Files>> {
  const files: Files = []
  for (const { id: fileId, name, mimeType } of attachments) {
    const bytes = await mailbox.attachment(id, fileId)
    if (!bytes.ok) return bytes
    files.push({ name, mimeType, bytes: new Uint8Array(await new Response(bytes.value).arrayBuffer()) })
  }
  return { ok: true, value: files }
}

/** Null: the bytes of a file no longer exist. */
async function ownFiles(scope: Scope, draftId: string): Promise<Files | null> {
  const rows = await scope.db
    .select()
    .from(mailboxDraftFiles)
    .where(eq(mailboxDraftFiles.draftId, draftId))
    .orderBy(asc(mailboxDraftFiles.id))
  const files: Files = []
  for (const { name, mimeType, storageKey } of rows) {
    const file = await scope.files.get(storageKey)
    if (!file) return null
    files.push({ name, mimeType, bytes: new Uint8Array(await new Response(file.bytes).arrayBuffer()) })
  }
  return files
}

/** Deletes the draft: the mailbox has the email now. */
async function finish(
  scope: Scope,
  { id, userId }: Draft,
  { connection, threadId }: { connection: Connection; threadId: string },
): Promise<void> {
  await scope.db.transaction(async (tx) => {
    await tx.delete(mailboxDrafts).where(eq(mailboxDrafts.id, id))
    const linkId = await newestLink(tx, connection, threadId)
    if (linkId) await logLater(tx, linkId)
    await announceMailbox(tx, userId)
  })
}

/** An email that was handed over may have been sent, so it is never reported as not sent. */
const giveUp = (scope: Scope, draft: Draft, problem: string): Promise<void> =>
  draft.handedOverAt ? stop(scope, draft, { state: 'unsure', problem: problems.unseen }) : fail(scope, draft, problem)

const fail = (scope: Scope, draft: Draft, problem: string): Promise<void> => stop(scope, draft, { state: 'failed', problem })

async function stop(scope: Scope, draft: Draft, set: Pick<Draft, 'state' | 'problem'>): Promise<void> {
  await scope.db.transaction(async (tx) => {
    await tx
      .update(mailboxDrafts)
      .set({ ...set, handedOverAt: null })
      .where(eq(mailboxDrafts.id, draft.id))
    await announceDraft(tx, draft)
  })
}
