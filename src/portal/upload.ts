import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { rateLimitKey } from '../kernel/http/requests.ts'
import type { Db } from '../kernel/postgres/database.ts'
import { isRefusal } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { createConcurrencyLimit } from '../kernel/workers/concurrency-limit.ts'
import type { Attempts } from '../platform/auth/service.ts'
import {
  FileRefused,
  insertDocument,
  storeFile,
  storeRows,
  type NewDocument,
  receiveFile,
  type AcceptedFile,
} from '../documents/service.ts'
import { fileRefusals } from '../documents/contract.ts'
import { patientFileLimit, patientQuota, uploadDescription } from '../documents/rules.ts'
import { documents } from '../documents/table.ts'
import { keyLifetimeMs } from '../platform/idempotency/rules.ts'
import { asPatient } from '../kernel/as-patient.ts'
import { takesFiles } from '../chart/forms/service.ts'
import { isUuid } from '../shared/text.ts'
import { itemScope, ownScope } from './own-scope.ts'
import { portalMessages } from './rules.ts'
import { type PatientScope, patientScope } from './sessions.ts'
import { tabletScope } from './tablet/sessions.ts'

/** A refusal. Clients read `details`, or else `error` (spec 7). */
const refusal = (status: number, code: string, error: string) =>
  Response.json({ code, error, details: error }, { status, headers: { connection: 'close' } })

/** The maximum length of the form's text fields. */
const fieldLimit = 500

/** The session header that our own page sends, so that an expired session is refused before the upload. */
const sessionHeader = 'x-portal-session'

/** Limits unverified uploads in this process, each of which may use 10 MB of disk. */
const acquire = createConcurrencyLimit({ maxConcurrent: 4 })

/**
 * POST /api/functions/patient-document-upload: one file of a patient, with their session. A file is inspected only once its session is
 * verified. The session is named in our own page's header, in a field before the file, or in a field after it (spec 7). In the last case
 * the file is received first without being inspected, for a few senders at a time. Requests without any credential are refused before the
 * body is read.
 * @param allowTime extends the time limit for slow connections once the session is verified
 */
export async function patientUploadResponse(scope: Scope, attempts: Attempts, request: Request, allowTime: () => void): Promise<Response> {
  if (!(await attempts.consume('portalUploadAddress', rateLimitKey(scope.origin.address))))
    return refusal(429, 'TOO_MANY_REQUESTS', portalMessages.tooMany)
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || !request.body)
    return refusal(415, 'UNSUPPORTED_CONTENT_TYPE', 'Send the file as multipart/form-data')
  const headerToken = request.headers.get(sessionHeader)
  if (headerToken === null && !request.headers.has('authorization')) return sessionExpired()
  /** Throws unless the session is active. */
  const verifySession = async (sessionToken: string) => {
    if (!((await patientScope(scope, { token: sessionToken })) ?? (await tabletScope(scope, sessionToken)))) throw new SessionOver()
    allowTime()
  }

  let received: string | null = null
  try {
    if (headerToken !== null) await verifySession(headerToken)
    const form = await readForm(scope, request.body, type, { isVerified: headerToken !== null, verifySession })
    received = form.file
    if (!form.isOnlyFile) return refusal(422, 'INVALID_INPUT', 'Send one file at a time')
    const stored = await storeUpload(scope, form, headerToken)
    return stored instanceof Response ? stored : Response.json({ success: true, id: stored }, { status: 201 })
  } catch (error) {
    if (error instanceof SessionOver) return sessionExpired()
    if (error instanceof FileRefused) return refusal(fileRefusals[error.code].status, error.code, error.message)
    if (error instanceof BadForm) return refusal(422, 'INVALID_INPUT', error.message)
    throw error
  } finally {
    if (received) await fs.rm(received, { force: true })
  }
}

const sessionExpired = () => refusal(401, 'SESSION_OVER', portalMessages.sessionOver)

interface Form {
  /** The path of the received file, which has not been inspected. */
  file: string
  name: string
  /** The form has no other file. */
  isOnlyFile: boolean
  contactId: string
  sessionToken: string
  /** The form that the file answers a question of; null without one. */
  formId: string | null
}

class BadForm extends Error {}
class SessionOver extends Error {}

type Verification = { isVerified: boolean; verifySession: (sessionToken: string) => Promise<void> }

/** Reads the form as a stream, writing the file to disk. Stops reading after a refusal. */
async function readForm(
  scope: Scope,
  body: ReadableStream<Uint8Array>,
  type: string,
  { isVerified, verifySession }: Verification,
): Promise<Form> {
  const parser = openParser(type)
  const fields = new Map<string, string>()
  const refused = new AbortController()
  const state: { receiving?: Promise<string>; name: string; stream?: Readable; isOnlyFile: boolean } = { name: '', isOnlyFile: true }

  /** The stream is paused until it is read. */
  async function receive(stream: Readable): Promise<string> {
    const sessionToken = fields.get('sessionToken')
    if (!isVerified && sessionToken !== undefined) await verifySession(sessionToken)
    const slot = isVerified || sessionToken !== undefined ? { end: () => {} } : await acquire(scope)
    if (!slot) throw new FileRefused('BUSY')
    try {
      return await receiveFile(scope, patientFileLimit, stream as AsyncIterable<Uint8Array>)
    } finally {
      slot.end()
    }
  }

  parser.on('filesLimit', () => (state.isOnlyFile = false))
  parser.on('partsLimit', () => refused.abort())
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (field, stream, name) => {
    // A truncated form also errors here; the reader of the stream gets the error separately.
    stream.on('error', () => {})
    if (field !== 'file' || state.receiving) return void stream.resume()
    state.stream = stream
    state.name = name
    state.receiving = receive(stream)
    state.receiving.catch(() => refused.abort())
  })
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), parser, { signal: refused.signal })
  } catch {
    // The form is truncated or malformed, unless its file was refused: then that error is reported.
    state.stream?.destroy(new BadForm(unreadable))
    const received = await state.receiving
    if (received) await fs.rm(received, { force: true })
    throw new BadForm(unreadable)
  }
  if (!state.receiving) throw new BadForm('The form has no file')
  const file = await state.receiving
  const { name, isOnlyFile } = state
  const field = (key: string) => fields.get(key) ?? ''
  return {
    file,
    name,
    isOnlyFile,
    contactId: field('contactId'),
    sessionToken: field('sessionToken'),
    formId: field('formId') || null,
  }
}

const unreadable = 'The form cannot be read'

function openParser(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fields: 10, parts: 20, fieldSize: fieldLimit, fieldNameSize: 50, headerPairs: 20 },
    })
  } catch {
    throw new BadForm(unreadable)
  }
}

/**
 * Inspects and stores the file if the session is active and the patient has quota left. Returns the document's id, or that of the earlier
 * upload if the patient sent the same file in the last 24 hours, because its response may have been lost.
 */
async function storeUpload(
  scope: Scope,
  { file: received, name, contactId, sessionToken, formId }: Form,
  headerToken: string | null,
): Promise<Response | string> {
  const claim = { contactId, sessionToken: sessionToken || (headerToken ?? '') }
  if (formId !== null && !isUuid(formId)) return refusal(404, 'NOT_FOUND', 'Form not found')
  const own = formId === null ? await ownScope(scope, claim) : await itemScope(scope, claim, { kind: 'form', id: formId })
  if (own === null) return refusal(404, 'NOT_FOUND', 'Patient not found')
  if (isRefusal(own)) return sessionExpired()
  if (formId !== null && !(await takesFiles(own, formId))) return refusal(404, 'NOT_FOUND', 'Form not found')
  const file = await storeFile(scope, { name, file: received })
  const insert = async (tx: Db) => {
    // Serializes a patient's uploads, so that the quota is counted correctly.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`portal upload ${own.patient}`}, 0))`)
    const first = await sameFile(tx, scope, own, file)
    if (first) return first
    const { files, bytes } = await usedBy(tx, own)
    if (files >= patientQuota.files || bytes + file.size > patientQuota.bytes) return null
    const values: NewDocument = {
      ...file,
      contactId: own.patient,
      uploadSource: 'patient',
      documentType: 'patient_upload',
      description: uploadDescription,
      isShared: true,
      reviewState: 'pending',
      createdAt: scope.now(),
    }
    await insertDocument(tx, own, values, (db, row) =>
      asPatient(db, scope.env, own.patient, async (portalDb) => (await portalDb.insert(documents).values(row).returning())[0]!),
    )
    return file.id
  }
  const storedId = await storeRows(scope, [file], () => scope.db.transaction(insert))
  if (storedId !== file.id) await scope.files.delete(file.storageKey)
  return storedId ?? refusal(fileRefusals.QUOTA.status, 'QUOTA', fileRefusals.QUOTA.message)
}

async function sameFile(tx: Db, scope: Scope, own: PatientScope, file: AcceptedFile): Promise<string | null> {
  const since = new Date(scope.now().getTime() - keyLifetimeMs)
  const { contactId, uploadSource, sha256, name, createdAt, deletedAt } = documents
  const [row] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(
      and(
        eq(contactId, own.patient),
        eq(uploadSource, 'patient'),
        eq(sha256, file.sha256),
        eq(name, file.name),
        gt(createdAt, since),
        isNull(deletedAt),
      ),
    )
    .limit(1)
  return row?.id ?? null
}

async function usedBy(tx: Parameters<typeof asPatient>[0], own: PatientScope): Promise<{ files: number; bytes: number }> {
  const { rows } = await tx.execute<{ files: number; bytes: string }>(sql`
    select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes from documents
    where contact_id = ${own.patient} and upload_source = 'patient'`)
  return { files: rows[0]?.files ?? 0, bytes: Number(rows[0]?.bytes ?? 0) }
}
