import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { countedAs } from '../kernel/http/requests.ts'
import type { Db } from '../kernel/postgres/database.ts'
import { isRefusal } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { createConcurrencyLimit } from '../kernel/workers/concurrency-limit.ts'
import type { Attempts } from '../platform/auth/service.ts'
import { FileRefused, insertDocument, keepFile, type NewDocument, receiveFile, type TakenFile } from '../documents/service.ts'
import { fileRefusals } from '../documents/contract.ts'
import { patientFileLimit, patientQuota, uploadDescription } from '../documents/rules.ts'
import { documents } from '../documents/table.ts'
import { keyLifetimeMs } from '../platform/idempotency/rules.ts'
import { asPatient } from '../kernel/as-patient.ts'
import { ownScope } from './own.ts'
import { portalMessages } from './rules.ts'
import { type PatientScope, patientScope } from './sessions.ts'

/** Spec 7: what is read of a refusal is `details`, else `error`. */
const no = (status: number, code: string, error: string) =>
  Response.json({ code, error, details: error }, { status, headers: { connection: 'close' } })

/** As many characters as the fields beside the file may have. */
const fieldLimit = 500

/** Where our own page says whose session it is, so that a session that is over costs no one an upload. */
const sessionHeader = 'x-portal-session'

/** In this process, of those who have proven nothing: each has up to 10 MB on the disk. */
const acquire = createConcurrencyLimit({ atOnce: 4 })

/**
 * POST /api/functions/patient-document-upload: one file of a patient's, with the session that proves whose. No byte of a file is looked at before
 * its session is known to be live. It is named by the header of our own page, by a field that comes before the file, or by one that comes behind
 * it (spec 7): only then are the file's bytes received before, unread, for a few senders at a time. Anyone who brings no credential at all is refused
 * before the body.
 * @param allowTime gives the upload the time that a slow connection needs, once it is known whose it is
 */
export async function patientUploadResponse(scope: Scope, attempts: Attempts, request: Request, allowTime: () => void): Promise<Response> {
  if (!(await attempts.consume('portalUploadAddress', countedAs(scope.origin.address))))
    return no(429, 'TOO_MANY_REQUESTS', portalMessages.tooMany)
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || !request.body)
    return no(415, 'UNSUPPORTED_CONTENT_TYPE', 'Send the file as multipart/form-data')
  const named = request.headers.get(sessionHeader)
  if (named === null && !request.headers.has('authorization')) return sessionOver()
  /** Throws unless a session is live. */
  const prove = async (sessionToken: string) => {
    if (!(await patientScope(scope, { token: sessionToken }))) throw new SessionOver()
    allowTime()
  }

  let received: string | null = null
  try {
    if (named !== null) await prove(named)
    const form = await readForm(scope, request.body, type, { isProven: named !== null, prove })
    received = form.file
    if (!form.isAlone) return no(422, 'INVALID_INPUT', 'Send one file at a time')
    const kept = await keep(scope, form, named)
    return kept instanceof Response ? kept : Response.json({ success: true, id: kept }, { status: 201 })
  } catch (error) {
    if (error instanceof SessionOver) return sessionOver()
    if (error instanceof FileRefused) return no(fileRefusals[error.code].status, error.code, error.message)
    if (error instanceof BadForm) return no(422, 'INVALID_INPUT', error.message)
    throw error
  } finally {
    if (received) await fs.rm(received, { force: true })
  }
}

const sessionOver = () => no(401, 'SESSION_OVER', portalMessages.sessionOver)

interface Form {
  /** Where its bytes lie, of which none was looked at. */
  file: string
  name: string
  /** No other file came with it. */
  isAlone: boolean
  contactId: string
  sessionToken: string
}

class BadForm extends Error {}
class SessionOver extends Error {}

type Proof = { isProven: boolean; prove: (sessionToken: string) => Promise<void> }

/** Reads the form as it comes in: its file goes to the disk, its fields are short. What comes after a refusal is not read. */
async function readForm(scope: Scope, body: ReadableStream<Uint8Array>, type: string, { isProven, prove }: Proof): Promise<Form> {
  const parser = openParser(type)
  const fields = new Map<string, string>()
  const refused = new AbortController()
  const state: { receiving?: Promise<string>; name: string; stream?: Readable; isAlone: boolean } = { name: '', isAlone: true }

  /** The stream waits until it is read. */
  async function receive(stream: Readable): Promise<string> {
    const sessionToken = fields.get('sessionToken')
    if (!isProven && sessionToken !== undefined) await prove(sessionToken)
    const turn = isProven || sessionToken !== undefined ? { end: () => {} } : await acquire(scope)
    if (!turn) throw new FileRefused('BUSY')
    try {
      return await receiveFile(scope, patientFileLimit, stream as AsyncIterable<Uint8Array>)
    } finally {
      turn.end()
    }
  }

  parser.on('filesLimit', () => (state.isAlone = false))
  parser.on('partsLimit', () => refused.abort())
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (field, stream, name) => {
    // A form that is cut off says so here, too; anyone who reads the stream hears of it by itself.
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
    // The form is cut off or makes no sense, unless it was its file that was refused: then that is what is said.
    state.stream?.destroy(new BadForm(unreadable))
    const received = await state.receiving
    if (received) await fs.rm(received, { force: true })
    throw new BadForm(unreadable)
  }
  if (!state.receiving) throw new BadForm('There is no file in this form')
  const file = await state.receiving
  const { name, isAlone } = state
  return { file, name, isAlone, contactId: fields.get('contactId') ?? '', sessionToken: fields.get('sessionToken') ?? '' }
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
 * Looks at the file and keeps it, if its session is live and its patient has room; answers its id: that of the first one if the patient sent the
 * same file in the last 24 hours, whose answer was lost.
 */
async function keep(
  scope: Scope,
  { file: received, name, contactId, sessionToken }: Form,
  named: string | null,
): Promise<Response | string> {
  const own = await ownScope(scope, { contactId, sessionToken: sessionToken || (named ?? '') })
  if (own === null) return no(404, 'NOT_FOUND', 'There is no such patient')
  if (isRefusal(own)) return sessionOver()
  const file = await keepFile(scope, { name, file: received })
  const keptId = await scope.db.transaction(async (tx) => {
    // One file of a patient after the other, so that the room is counted right.
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
      asPatient(db, scope.env, own.patient, async (as) => (await as.insert(documents).values(row).returning())[0]!),
    )
    return file.id
  })
  if (keptId !== file.id) await scope.files.delete(file.storageKey)
  return keptId ?? no(fileRefusals.QUOTA.status, 'QUOTA', fileRefusals.QUOTA.message)
}

async function sameFile(tx: Db, scope: Scope, own: PatientScope, file: TakenFile): Promise<string | null> {
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
