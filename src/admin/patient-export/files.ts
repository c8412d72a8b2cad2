import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { DamagedFileError } from '../../integrations/storage/store.ts'
import { describeError } from '../../kernel/errors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { renderStatement } from '../../billing/collections/service.ts'
import { ledgerEntries } from '../../billing/collections/table.ts'
import { numberedNames, safeName } from '../../documents/rules.ts'
import { documents } from '../../documents/table.ts'
import { conversations, messageAttachments, messages } from '../../messages/inbox/table.ts'
import { receiptName } from '../../billing/pos/rules.ts'
import { renderReceipt } from '../../billing/pos/service.ts'
import { salesReceipts } from '../../billing/payments/table.ts'
import { contactCustomers } from '../../billing/quickbooks/table.ts'
import { quoteName } from '../../billing/quotes/rules.ts'
import { renderQuote } from '../../billing/quotes/service.ts'
import { quotes } from '../../billing/quotes/table.ts'
import { sealedFilesOf } from '../../chart/consent-forms/service.ts'
import { originalsOf } from '../../chart/photos/service.ts'
import { notePdfName, renderNote } from '../../chart/notes/service.ts'
import { clinicalNotes } from '../../chart/notes/table.ts'

/** A file in the export: its path, and how to read its bytes or why it is withheld. */
export type RecordFile = {
  /** Path in the zip, with the folder. */
  path: string
  /** Id of the row that the file belongs to. */
  id: string
  at: Date
  /** In bytes; null until the file has been rendered. */
  size: number | null
  /** Why the file is withheld, if that is known before it is opened. */
  withheld: 'pending' | 'infected' | null
  open: () => Promise<AsyncIterable<Uint8Array> | 'missing' | 'renderFailed'>
}

type FileWithName = Omit<RecordFile, 'path'> & { name: string }

/** Puts files into a folder of the zip under unique names that every operating system accepts. */
function inFolder(folder: string, files: readonly FileWithName[]): RecordFile[] {
  const names = numberedNames(files.map(({ name }) => safeName(name)))
  return files.map(({ name: _, ...file }, index) => ({ ...file, path: `${folder}/${names[index]}` }))
}

/** The patient's documents, photos and sealed consent forms, and attachments of their emails that were not saved as documents. */
export async function listDocuments(db: Db, scope: Scope, contactId: string): Promise<RecordFile[]> {
  const saved = await db
    .select()
    .from(documents)
    .where(and(eq(documents.contactId, contactId), isNull(documents.deletedAt)))
    .orderBy(asc(documents.createdAt), asc(documents.id))
  const attachments = await db
    .select({ attachment: messageAttachments, at: messages.createdAt })
    .from(messageAttachments)
    .innerJoin(messages, eq(messages.id, messageAttachments.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.contactId, contactId), isNotNull(messageAttachments.storageKey)))
    .orderBy(asc(messages.createdAt), asc(messageAttachments.id))
  const consents = await sealedFilesOf(db, contactId)
  const photos = await originalsOf(db, scope, contactId)
  const inDocuments = inFolder('documents', [
    ...saved.map(({ id, name, size, createdAt, storageKey, scanState }) => ({
      id,
      name,
      size,
      at: createdAt,
      withheld: scanState === 'pending' || scanState === 'infected' ? scanState : null,
      open: () => readBytes(scope, storageKey),
    })),
    ...consents.map(({ id, title, size, at, storageKey }) => ({
      id,
      name: `${title}.pdf`,
      size,
      at,
      withheld: null,
      open: () => readBytes(scope, storageKey),
    })),
    ...attachments.map(({ attachment: { id, name, size, storageKey }, at }) => ({
      id,
      name,
      size,
      at,
      // Attachments are not scanned until they are saved as documents.
      withheld: scope.env.CLAMD_URL ? ('pending' as const) : null,
      open: () => readBytes(scope, storageKey!),
    })),
  ])
  const inPhotos = inFolder(
    'photos',
    photos.map(({ storageKey, ...photo }) => ({ ...photo, withheld: null, open: () => readBytes(scope, storageKey) })),
  )
  return [...inDocuments, ...inPhotos]
}

async function readBytes({ files, log, origin }: Scope, storageKey: string): Promise<AsyncIterable<Uint8Array> | 'missing'> {
  const found = await files.get(storageKey).catch((error: unknown) => {
    // The rest of the record leaves without a file that was altered, which the store has reported.
    if (!(error instanceof DamagedFileError)) throw error
    return null
  })
  if (found) return found.bytes
  log.error({ requestId: origin.requestId }, 'The bytes of a document are missing')
  return 'missing'
}

/** The patient's clinical notes, receipts, quotes and statement, rendered when they are opened. */
export async function listPdfs(db: Db, scope: Scope, contactId: string): Promise<RecordFile[]> {
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
  const quoteRows = await db
    .select({ id: quotes.id, number: quotes.number, revision: quotes.revision, at: quotes.createdAt })
    .from(quotes)
    .where(eq(quotes.contactId, contactId))
    .orderBy(asc(quotes.number), asc(quotes.revision))
  const noteRows = await db
    .select({ id: clinicalNotes.id, title: clinicalNotes.title, occurredOn: clinicalNotes.occurredOn, at: clinicalNotes.createdAt })
    .from(clinicalNotes)
    .where(eq(clinicalNotes.contactId, contactId))
    .orderBy(asc(clinicalNotes.occurredOn), asc(clinicalNotes.id))
  const [entry] = await db.select({ id: ledgerEntries.id }).from(ledgerEntries).where(eq(ledgerEntries.contactId, contactId)).limit(1)
  return inFolder('pdf', [
    ...noteRows.map(({ id, at, ...row }) => ({
      ...pdfEntry(id, at),
      name: `${notePdfName(row)}.pdf`,
      open: renderOnOpen(scope, async () => {
        const [note] = await scope.db.select().from(clinicalNotes).where(eq(clinicalNotes.id, id))
        return note && renderNote(scope, note)
      }),
    })),
    ...receipts.map(({ id, at, ...row }) => ({
      ...pdfEntry(id, at),
      name: `${receiptName(row)}.pdf`,
      open: renderOnOpen(scope, async () => {
        const [receipt] = await scope.db.select().from(salesReceipts).where(eq(salesReceipts.id, id))
        return receipt && (await renderReceipt(scope, receipt)).bytes
      }),
    })),
    ...quoteRows.map(({ id, at, ...row }) => ({
      ...pdfEntry(id, at),
      name: `${quoteName(row)}.pdf`,
      open: renderOnOpen(scope, async () => {
        const [quote] = await scope.db.select().from(quotes).where(eq(quotes.id, id))
        return quote && (await renderQuote(scope, quote)).bytes
      }),
    })),
    ...(entry
      ? [
          {
            ...pdfEntry('statement', scope.now()),
            name: 'Statement of account.pdf',
            open: renderOnOpen(scope, async () => (await renderStatement(scope, contactId))?.bytes),
          },
        ]
      : []),
  ])
}

const pdfEntry = (id: string, at: Date) => ({ id, at, size: null, withheld: null })

/** Renders a PDF when it is opened. One that fails to render does not stop the export. */
function renderOnOpen({ log, origin }: Scope, render: () => Promise<Uint8Array | undefined>): RecordFile['open'] {
  return async () => {
    try {
      const bytes = await render()
      return bytes ? singleChunk(bytes) : 'missing'
    } catch (error) {
      log.error({ requestId: origin.requestId, error: describeError(error) }, 'A PDF for a patient record export failed to render')
      return 'renderFailed'
    }
  }
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
