import { and, desc, eq, inArray } from 'drizzle-orm'
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { MessageHead } from '../../integrations/mailbox/mailbox.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addCorrespondence, removeCorrespondence } from '../../crm/interactions/service.ts'
import { announceMailbox, addressOf, type Connection, connectionAtWork, connectionOf } from './connection.ts'
import { mailboxConnections, mailboxLinks } from './table.ts'
import { ask, askOf } from './use.ts'

type Party = { id: string; firstName: string; lastName: string }
export type Link = { id: string; userId: string; contact: Party }
type Logged = MessageHead & { isSent: boolean; to: { name: string; email: string }[] }

const party = { id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName }

/** The patients that these threads of a mailbox are linked to. */
export async function linksOf(db: Db, connection: Connection, threadIds: readonly string[]): Promise<Map<string, Link>> {
  if (threadIds.length === 0) return new Map()
  const rows = await db
    .select({ id: mailboxLinks.id, userId: mailboxLinks.userId, threadId: mailboxLinks.threadId, contact: party })
    .from(mailboxLinks)
    .innerJoin(contacts, eq(contacts.id, mailboxLinks.contactId))
    .where(ofThreads(connection, threadIds))
    .orderBy(mailboxLinks.linkedAt, mailboxLinks.id)
  return new Map(rows.map(({ threadId, ...link }) => [threadId, link]))
}

const ofThreads = (connection: Connection, threadIds: readonly string[]) =>
  and(
    eq(mailboxLinks.userId, connection.userId),
    eq(mailboxLinks.address, addressOf(connection)),
    inArray(mailboxLinks.threadId, [...threadIds]),
  )

/** Links a thread to a patient's timeline, and unlinks it from another's. */
export async function link(scope: Scope, id: string, contactId: string) {
  const asked = await ask(scope, (mailbox) => mailbox.thread(id))
  if (isRefusal(asked)) return asked
  const { value, connection } = asked
  return scope.db.transaction(async (tx) => {
    // Serializes two windows.
    await tx.select({ id: mailboxConnections.id }).from(mailboxConnections).where(eq(mailboxConnections.id, connection.id)).for('update')
    const [contact] = await tx.select(party).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
    if (!contact) return invalidReference({ contactId: 'This patient does not exist' })
    const known = (await linksOf(tx, connection, [id])).get(id)
    if (known?.contact.id === contactId) return contact
    await dropLinks(tx, scope, connection, id)
    const made = { id: uuidv7(), userId: connection.userId, contact }
    const values = {
      ...made,
      address: addressOf(connection),
      threadId: id,
      contactId,
      subject: value.thread.subject,
      linkedAt: scope.now(),
    }
    await tx.insert(mailboxLinks).values(values)
    await writeMessages(tx, made, value.messages)
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'mailbox link',
      contactIds: [contactId],
      after: { id: made.id, messages: value.messages.length },
    })
    await announceMailbox(tx, connection.userId)
    return contact
  })
}

/** Unlinks a thread from the timeline. Null: it was not linked. */
export async function unlink(scope: Scope, id: string): Promise<{ id: string } | null> {
  const connection = await connectionOf(scope.db, staff(scope).id)
  if (!connection) return null
  return scope.db.transaction(async (tx) => {
    if ((await dropLinks(tx, scope, connection, id)) === 0) return null
    await announceMailbox(tx, connection.userId)
    return { id }
  })
}

async function dropLinks(tx: Db, scope: Scope, connection: Connection, threadId: string): Promise<number> {
  const gone = await tx
    .delete(mailboxLinks)
    .where(ofThreads(connection, [threadId]))
    .returning()
  for (const { id, contactId } of gone) {
    await removeCorrespondence(tx, contactId, id)
    await recordChange(tx, scope, { action: 'deleted', kind: 'mailbox link', contactIds: [contactId], before: { id } })
  }
  return gone.length
}

/** Adds new email of a linked thread to the timeline. */
export async function logMessages(scope: Scope, link: Link, messages: readonly Logged[]): Promise<void> {
  await scope.db.transaction(async (tx) => {
    // Unlinked, or its patient merged or deleted, during the request to the provider.
    const [still] = await tx
      .select({ contactId: mailboxLinks.contactId })
      .from(mailboxLinks)
      .where(eq(mailboxLinks.id, link.id))
      .for('share')
    if (still) await writeMessages(tx, { ...link, contact: { ...link.contact, id: still.contactId } }, messages)
  })
}

async function writeMessages(tx: Db, { id: linkId, userId, contact }: Link, messages: readonly Logged[]): Promise<void> {
  const mails = messages.map((message) => ({
    // The same email is one entry, whichever window, job or webhook sees it first.
    id: uuidv5(message.id, linkId),
    description: describe(message),
    date: message.date,
    isSent: message.isSent,
    metadata: {
      linkId,
      messageId: message.id,
      direction: message.isSent ? 'outbound' : 'inbound',
      // Other participants of a thread are not the patient, even though it concerns the patient.
      person: personOf(message),
      mailbox: { ownerId: userId, threadId: message.threadId },
    },
  }))
  await addCorrespondence(tx, contact.id, userId, mails)
}

const maxTextLength = 500

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, maxTextLength)

/** The sender, or the recipients of the owner's email. */
function personOf({ from, to, isSent }: Logged): string | null {
  const [other] = isSent ? to : from ? [from] : []
  return other ? clean(other.name || other.email) : null
}

const describe = ({ subject, snippet }: Logged): string => clean(`${subject || '(no subject)'}${snippet ? `. ${snippet}` : ''}`)

/** Finds new email in a linked thread, and adds it to the timeline. */
export const logLinked = defineJob({
  name: 'mailbox.log-linked',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 6,
  async run(scope, { id }, { last }) {
    const [row] = await scope.db
      .select({ link: mailboxLinks, contact: party })
      .from(mailboxLinks)
      .innerJoin(contacts, eq(contacts.id, mailboxLinks.contactId))
      .where(eq(mailboxLinks.id, id))
    const connection = row && (await connectionAtWork(scope.db, row.link.userId))
    // A different mailbox than the one it was linked in.
    if (!connection || addressOf(connection) !== row.link.address) return
    const asked = await askOf(scope, connection, (mailbox) => mailbox.thread(row.link.threadId))
    if (!isRefusal(asked)) return logMessages(scope, { id, userId: row.link.userId, contact: row.contact }, asked.value.messages)
    if ((asked.refusal === 'AWAY' || asked.refusal === 'BUSY') && !last) throw new Error(`mailbox ${asked.refusal}`)
  },
})

export const logLater = (tx: Db, linkId: string): Promise<void> => enqueue(tx, logLinked, { id: linkId }, `mailbox link ${linkId}`)

/** The link of a thread whose mailbox is known by its owner. */
export async function newestLink(db: Db, connection: Connection, threadId: string): Promise<string | null> {
  const [row] = await db
    .select({ id: mailboxLinks.id })
    .from(mailboxLinks)
    .where(ofThreads(connection, [threadId]))
    .orderBy(desc(mailboxLinks.linkedAt))
    .limit(1)
  return row?.id ?? null
}
