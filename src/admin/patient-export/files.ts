import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { describeError } from '../../kernel/errors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { renderStatement } from '../../billing/collections/service.ts'
import { ledgerEntries } from '../../billing/collections/table.ts'
import { numberedNames, safeName } from '../../documents/rules.ts'
import { documents } from '../../documents/table.ts'
import { conversations, messageAttachments, messages } from '../../messages/inbox/table.ts'
import { renderReceipt, receiptName } from '../../billing/pos/service.ts'
import { salesReceipts } from '../../billing/payments/table.ts'
import { contactCustomers } from '../../billing/quickbooks/table.ts'
import { quoteName } from '../../billing/quotes/rules.ts'
import { renderQuote } from '../../billing/quotes/service.ts'
import { quotes } from '../../billing/quotes/table.ts'

/** A file of a record: what it is called there, and how its bytes are had, or why they are not. */
export type RecordFile = {
  /** In the zip, with its folder. */
  path: string
  /** Of the row that it belongs to. */
  id: string
  at: Date
  /** In bytes, where it is known before. */
  size: number | null
  /** Why it is not handed out, as far as that is known before. */
  withheld: 'pending' | 'infected' | null
  open: () => Promise<AsyncIterable<Uint8Array> | 'missing' | 'undrawn'>
}

type Unnamed = Omit<RecordFile, 'path'> & { name: string }

/** Each under a name of its own that any computer takes. */
function inFolder(folder: string, files: readonly Unnamed[]): RecordFile[] {
  const names = numberedNames(files.map(({ name }) => safeName(name)))
  return files.map(({ name: _, ...file }, index) => ({ ...file, path: `${folder}/${names[index]}` }))
}

/** Their documents, and what came with their mails and has become none. */
export async function documentsOf(db: Db, scope: Scope, contactId: string): Promise<RecordFile[]> {
  const kept = await db
    .select()
    .from(documents)
    .where(and(eq(documents.contactId, contactId), isNull(documents.deletedAt)))
    .orderBy(asc(documents.createdAt), asc(documents.id))
  const waiting = await db
    .select({ attachment: messageAttachments, at: messages.createdAt })
    .from(messageAttachments)
    .innerJoin(messages, eq(messages.id, messageAttachments.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.contactId, contactId), isNotNull(messageAttachments.storageKey)))
    .orderBy(asc(messages.createdAt), asc(messageAttachments.id))
  return inFolder('documents', [
    ...kept.map(({ id, name, size, createdAt, storageKey, scanState }) => ({
      id,
      name,
      size,
      at: createdAt,
      withheld: scanState === 'pending' || scanState === 'infected' ? scanState : null,
      open: () => bytesOf(scope, storageKey),
    })),
    ...waiting.map(({ attachment: { id, name, size, storageKey }, at }) => ({
      id,
      name,
      size,
      at,
      // The scanner looks at documents alone.
      withheld: scope.env.CLAMD_URL ? ('pending' as const) : null,
      open: () => bytesOf(scope, storageKey!),
    })),
  ])
}

async function bytesOf({ files, log, origin }: Scope, storageKey: string): Promise<AsyncIterable<Uint8Array> | 'missing'> {
  const found = await files.get(storageKey)
  if (found) return found.bytes
  log.error({ requestId: origin.requestId }, 'The bytes of a document are missing')
  return 'missing'
}

/** Their receipts, quotes and statement as they are drawn at this moment. */
export async function papersOf(db: Db, scope: Scope, contactId: string): Promise<RecordFile[]> {
  const customers = db.select({ id: contactCustomers.customerId }).from(contactCustomers).where(eq(contactCustomers.contactId, contactId))
  const receipts = await db
    .select({
      id: salesReceipts.id,
      kind: salesReceipts.kind,
      docNumber: salesReceipts.docNumber,
      qbId: salesReceipts.qbId,
      at: salesReceipts.createdAt,
    })
    .from(salesReceipts)
    .where(inArray(salesReceipts.customerId, customers))
    .orderBy(asc(salesReceipts.createdAt), asc(salesReceipts.id))
  const offered = await db
    .select({ id: quotes.id, number: quotes.number, revision: quotes.revision, at: quotes.createdAt })
    .from(quotes)
    .where(eq(quotes.contactId, contactId))
    .orderBy(asc(quotes.number), asc(quotes.revision))
  const [entry] = await db.select({ id: ledgerEntries.id }).from(ledgerEntries).where(eq(ledgerEntries.contactId, contactId)).limit(1)
  return inFolder('pdf', [
    ...receipts.map(({ id, at, ...row }) => ({
      ...paper(id, at),
      name: `${receiptName(row)}.pdf`,
      open: drawn(scope, async () => {
        const [receipt] = await scope.db.select().from(salesReceipts).where(eq(salesReceipts.id, id))
        return receipt && renderReceipt(scope, receipt)
      }),
    })),
    ...offered.map(({ id, at, ...row }) => ({
      ...paper(id, at),
      name: `${quoteName(row)}.pdf`,
      open: drawn(scope, async () => {
        const [quote] = await scope.db.select().from(quotes).where(eq(quotes.id, id))
        return quote && renderQuote(scope, quote)
      }),
    })),
    ...(entry
      ? [
          {
            ...paper('statement', scope.now()),
            name: 'Statement of account.pdf',
            open: drawn(scope, async () => (await renderStatement(scope, contactId))?.bytes),
          },
        ]
      : []),
  ])
}

const paper = (id: string, at: Date) => ({ id, at, size: null, withheld: null })

/** Each is drawn when its turn has come. One that cannot be does not cost the patient the rest. */
function drawn({ log, origin }: Scope, draw: () => Promise<Uint8Array | undefined>): RecordFile['open'] {
  return async () => {
    try {
      const bytes = await draw()
      return bytes ? inOnePiece(bytes) : 'missing'
    } catch (error) {
      log.error({ requestId: origin.requestId, error: describeError(error) }, 'A paper of a whole record could not be drawn')
      return 'undrawn'
    }
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
