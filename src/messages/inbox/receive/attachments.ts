import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { documents } from '../../../documents/table.ts'
import { FileRefused, insertDocument, storeFile, type AcceptedFile } from '../../../documents/service.ts'
import type { ReceivedFile } from './mail-worker.ts'
import { maxAttachments } from './read-mail.ts'
import { messageAttachments } from '../table.ts'

/** An attachment in the file store, or one that was not kept, with the reason. */
export type KeptAttachment = { name: string; mimeType: string; size: number; contentId: string | null } & (
  | { file: AcceptedFile }
  | { refusal: string }
)

/**
 * Inspects attachments like uploaded documents, and stores the valid ones. Throws a FileRefused when the inspection queue is full and the
 * email has to be posted again.
 */
export async function keepAttachments(scope: Scope, given: readonly ReceivedFile[]): Promise<KeptAttachment[]> {
  const kept: KeptAttachment[] = []
  for (const { file: received, ...facts } of given.slice(0, maxAttachments)) {
    try {
      if (received === null) throw new FileRefused('FILE_TOO_LARGE')
      if (facts.size === 0) throw new FileRefused('FILE_EMPTY')
      const file = await storeFile(scope, { name: facts.name, file: received })
      kept.push({ ...facts, name: file.name, mimeType: file.mimeType, size: file.size, file })
    } catch (error) {
      if (!(error instanceof FileRefused) || error.code === 'BUSY') throw error
      kept.push({ ...facts, refusal: error.message })
    }
  }
  const more = given.slice(maxAttachments)
  if (more.length > 0) {
    kept.push({
      name: more.length === 1 ? '1 more file' : `${more.length} more files`,
      mimeType: 'application/octet-stream',
      size: more.reduce((sum, { size }) => sum + size, 0),
      contentId: null,
      refusal: `Only the first ${maxAttachments} attachments of an email are kept`,
    })
  }
  return kept
}

/** Records a message's attachments; those of a known patient become documents to be reviewed. */
export async function attachTo(
  tx: Db,
  scope: Scope,
  to: { messageId: string; contactId: string | null; isText?: boolean },
  attachments: readonly KeptAttachment[],
): Promise<void> {
  for (const attachment of attachments) {
    const { name, mimeType, size, contentId } = attachment
    const row = { messageId: to.messageId, name, mimeType, size, contentId }
    if ('refusal' in attachment) {
      await tx.insert(messageAttachments).values({ ...row, refusal: attachment.refusal })
      continue
    }
    const { file } = attachment
    const documentId = to.contactId
      ? await makeDocument(tx, scope, to.contactId, file, to.isText ? 'Attached to a text message' : undefined)
      : null
    const waiting = documentId ? {} : { storageKey: file.storageKey, sha256: file.sha256 }
    await tx.insert(messageAttachments).values({ ...row, documentId, ...waiting })
  }
}

async function makeDocument(
  tx: Db,
  scope: Scope,
  contactId: string,
  file: Omit<AcceptedFile, 'id'>,
  description = 'Attached to an email',
): Promise<string> {
  const { id } = await insertDocument(tx, scope, {
    ...file,
    id: uuidv7(),
    contactId,
    uploadSource: 'patient',
    documentType: 'patient_upload',
    description,
    isShared: true,
    reviewState: 'pending',
    createdAt: scope.now(),
  })
  return id
}

/** Moves the attachments of past emails to the patient once the sender is known. */
export async function handOverAttachments(tx: Db, scope: Scope, messageIds: readonly string[], contactId: string): Promise<void> {
  if (messageIds.length === 0) return
  const rows = await tx
    .select()
    .from(messageAttachments)
    .where(
      and(
        inArray(messageAttachments.messageId, [...messageIds]),
        isNull(messageAttachments.documentId),
        isNull(messageAttachments.refusal),
      ),
    )
    .for('update')
  for (const { id, name, mimeType, size, sha256, storageKey } of rows) {
    if (!storageKey || !sha256) continue
    const file = { name, mimeType: mimeType as AcceptedFile['mimeType'], size, sha256, storageKey }
    const documentId = await makeDocument(tx, scope, contactId, file)
    await tx.update(messageAttachments).set({ documentId, storageKey: null, sha256: null }).where(eq(messageAttachments.id, id))
  }
}

/** The attachments of messages, with the state of their document and the storage key of those that may be shown. */
export const attachmentsOf = (tx: Db, messageIds: readonly string[]) =>
  tx
    .select({
      id: messageAttachments.id,
      messageId: messageAttachments.messageId,
      name: messageAttachments.name,
      mimeType: messageAttachments.mimeType,
      size: messageAttachments.size,
      contentId: messageAttachments.contentId,
      documentId: messageAttachments.documentId,
      scanState: documents.scanState,
      /** A picture that staff have put into the email. */
      isOwn: sql<boolean>`${messageAttachments.storageKey} is not null and ${messageAttachments.sha256} is null`,
      storageKey: sql<
        string | null
      >`case when ${documents.deletedAt} is null then coalesce(${documents.storageKey}, ${messageAttachments.storageKey}) end`,
      refusal: messageAttachments.refusal,
    })
    .from(messageAttachments)
    .leftJoin(documents, eq(documents.id, messageAttachments.documentId))
    .where(inArray(messageAttachments.messageId, [...messageIds]))
    .orderBy(messageAttachments.id)
