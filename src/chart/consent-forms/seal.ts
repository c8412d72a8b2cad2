import { and, eq, inArray, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { pdfResponse } from '../../kernel/pdf/document.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { isUuid } from '../../shared/text.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { addTimestamp, sealPdf } from '../../platform/seals/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { mailAbout } from './change.ts'
import { copyMail } from './emails.ts'
import { eventsOf } from './evidence.ts'
import { renderConsent } from './pdf.ts'
import type { ConsentRow } from './read.ts'
import { consentEvents, consentFiles, consentForms } from './table.ts'

type Bytes = Uint8Array<ArrayBuffer>

const sealKey = (eventId: string) => `consent-forms.seal ${eventId}`
const timestampKey = (fileId: string) => `consent-forms.timestamp ${fileId}`

/** In the transaction of a step that a sealed PDF is made for, so that a step that was answered is sealed. What was signed on paper is not. */
export async function enqueueSeal(tx: Db, { sentVia }: Pick<ConsentRow, 'sentVia'>, { id }: { id: string }): Promise<void> {
  if (sentVia !== 'paper') await enqueue(tx, sealConsent, { eventId: id }, sealKey(id))
}

const enqueueTimestamp = (tx: Db, fileId: string): Promise<void> => enqueue(tx, timestampConsent, { fileId }, timestampKey(fileId))

/** Renders and seals the PDF of a step, and stores it once: what another run has stored stays. The bytes come before the row. */
export const sealConsent = defineJob({
  name: 'consent-forms.seal',
  payload: z.object({ eventId: z.uuid() }),
  // For days; then catchUpSeals begins again.
  maxAttempts: 20,
  async run(scope, { eventId }) {
    const { db } = scope
    const [found] = await db
      .select({ event: consentEvents, form: consentForms, fileId: consentFiles.id })
      .from(consentEvents)
      .innerJoin(consentForms, eq(consentForms.id, consentEvents.consentFormId))
      .leftJoin(consentFiles, eq(consentFiles.eventId, consentEvents.id))
      .where(eq(consentEvents.id, eventId))
    // Sealed before, or deleted with the patient.
    if (!found || found.fileId !== null || found.form.sentVia === 'paper') return
    const { event, form } = found
    const events = (await eventsOf(db, form.id)).filter(({ id }) => id <= eventId)
    const pdf = await renderConsent(scope, form, events)
    // PDF readers show it to anyone who gets the file.
    const sealed = await sealPdf(scope, pdf, { reason: 'Signed document', location: scope.env.PRACTICE_NAME, signedAt: event.at })
    const { storageKey, ...stored } = await store(scope, sealed)
    const isStored = await db.transaction(async (tx) => {
      const [file] = await tx
        .insert(consentFiles)
        .values({ consentFormId: form.id, eventId, storageKey, ...stored, sealedAt: scope.now() })
        .onConflictDoNothing({ target: consentFiles.eventId })
        .returning()
      if (!file) return false
      const after = { id: form.id, step: event.kind, sha256: file.sha256 }
      await recordChange(tx, scope, { action: 'created', kind: 'consent form', contactIds: [form.contactId], after })
      await publish(tx, 'consent-form', form.id)
      if (file.timestamp === 'pending') await enqueueTimestamp(tx, file.id)
      if (event.kind === 'signed') await enqueue(tx, mailCopy, { id: form.id })
      return true
    })
    if (!isStored) await scope.files.delete(storageKey)
  },
})

/** Adds the time-stamp to a sealed PDF once an authority is available again. */
export const timestampConsent = defineJob({
  name: 'consent-forms.timestamp',
  payload: z.object({ fileId: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { fileId }) {
    const [file] = await scope.db.select().from(consentFiles).where(eq(consentFiles.id, fileId))
    if (!file || file.timestamp !== 'pending') return
    const bytes = await readSealed(scope, file.storageKey)
    if (!bytes) throw new Error('The bytes of a sealed consent form are missing')
    const sealed = await addTimestamp(scope, bytes)
    if (sealed.timestamp === 'pending') throw new Error('The time-stamp authority is not available')
    // The bytes without it stay until they are swept.
    const changed = await store(scope, sealed)
    await scope.db.transaction(async (tx) => {
      await tx.update(consentFiles).set(changed).where(eq(consentFiles.id, fileId))
      await publish(tx, 'consent-form', file.consentFormId)
    })
  },
})

/**
 * Queues again what was given up. A job that a killed process had taken has lost an attempt, so a server that is killed again and again uses up
 * those of all jobs that wait.
 */
export const catchUpSeals = defineJob({
  name: 'consent-forms.catch-up',
  payload: z.object({}),
  cron: '29 * * * *',
  async run({ db }) {
    const isQueued = (key: SQL) =>
      sql`exists (select from graphile_worker.jobs as job where job.key = ${key} and job.attempts < job.max_attempts)`
    const steps = await db
      .select({ id: consentEvents.id, sentVia: consentForms.sentVia })
      .from(consentEvents)
      .innerJoin(consentForms, eq(consentForms.id, consentEvents.consentFormId))
      .leftJoin(consentFiles, eq(consentFiles.eventId, consentEvents.id))
      .where(
        and(
          ne(consentForms.sentVia, 'paper'),
          inArray(consentEvents.kind, ['signed', 'countersigned', 'withdrawn']),
          isNull(consentFiles.id),
          not(isQueued(sql`${sealKey('')} || ${consentEvents.id}`)),
        ),
      )
    for (const step of steps) await enqueueSeal(db, step, step)
    const files = await db
      .select({ id: consentFiles.id })
      .from(consentFiles)
      .where(and(eq(consentFiles.timestamp, 'pending'), not(isQueued(sql`${timestampKey('')} || ${consentFiles.id}`))))
    for (const { id } of files) await enqueueTimestamp(db, id)
  },
})

/** Tells the patient that a copy is in the portal. Why it could not be sent is shown in the patient's list. */
export const mailCopy = defineJob({
  name: 'consent-forms.mail-copy',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }, attempt) {
    const [found] = await scope.db
      .select({ language: consentForms.language, sentTo: consentForms.sentTo, email: contacts.email })
      .from(consentForms)
      .innerJoin(contacts, eq(contacts.id, consentForms.contactId))
      .where(eq(consentForms.id, id))
    const to = found && (found.sentTo ?? found.email)
    if (to) await mailAbout(scope, id, copyMail(scope.env, found.language, to), attempt)
  },
})

async function store(scope: Pick<Scope, 'files'>, { bytes, ...sealed }: Awaited<ReturnType<typeof sealPdf>>) {
  const storageKey = `consents/${uuidv7()}`
  await scope.files.put(storageKey, single(bytes), { size: bytes.length })
  return { ...sealed, storageKey, size: bytes.length }
}

async function* single(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes
}

async function readSealed({ files }: Pick<Scope, 'files'>, storageKey: string): Promise<Bytes | null> {
  const found = await files.get(storageKey)
  return found && new Uint8Array(await new Response(found.bytes as ReadableStream<Bytes>).arrayBuffer())
}

const missing = (status: 404 | 410, message: string): Response =>
  Response.json({ code: status === 404 ? 'NOT_FOUND' : 'FILE_MISSING', message, error: message }, { status })

/** The bytes of a sealed PDF, for those whom the caller has let in. */
export async function sealedFileResponse(scope: Scope, file: { id: string; storageKey: string; sealedAt: Date }): Promise<Response> {
  const bytes = await readSealed(scope, file.storageKey)
  if (!bytes) {
    scope.log.error({ documentId: file.id }, 'The bytes of a document are missing')
    return missing(410, 'The file of this document is missing')
  }
  return pdfResponse(`consent ${dayAt(file.sealedAt, scope.env.PRACTICE_TIME_ZONE)}`, bytes)
}

/** GET /api/consent-files/{id}.pdf: a sealed consent form, for staff who see what it says. */
export async function consentFileResponse(scope: Scope, id: string): Promise<Response> {
  const [found] = isUuid(id)
    ? await scope.db
        .select({ file: consentFiles, contactId: consentForms.contactId })
        .from(consentFiles)
        .innerJoin(consentForms, eq(consentForms.id, consentFiles.consentFormId))
        .where(eq(consentFiles.id, id))
    : []
  if (!found) return missing(404, 'This document does not exist')
  await recordChange(scope.db, scope, { action: 'exported', kind: 'consent form', contactIds: [found.contactId], after: { file: id } })
  return sealedFileResponse(scope, found.file)
}
