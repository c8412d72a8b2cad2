import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { sql } from 'drizzle-orm'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { countedAs } from '../../server/requests.ts'
import type { Scope } from '../../server/scope.ts'
import type { Attempts } from '../auth/service.ts'
import { FileRefused, insertDocument, type NewDocument, type TakenFile, takeFile } from '../documents/service.ts'
import { fileRefusals } from '../documents/contract.ts'
import { patientFileLimit, patientQuota } from '../documents/rules.ts'
import { documents } from '../documents/table.ts'
import { asPatient } from './as-patient.ts'
import { ownScope } from './own.ts'
import { portalMessages, uploadDescription } from './rules.ts'
import type { PatientScope } from './sessions.ts'

/** Spec 7: what is read of a refusal is `details`, else `error`. */
const no = (status: number, code: string, error: string) =>
  Response.json({ code, error, details: error }, { status, headers: { connection: 'close' } })

/** As many characters as the fields beside the file may have. */
const fieldLimit = 500

/**
 * POST /api/functions/patient-document-upload: one file of a patient's, with the session that proves whose. The fields may come in any order, so
 * the bytes are taken in before it is known; nothing is kept unless the session is live and its patient has room left.
 */
export async function answerPatientUpload(scope: Scope, attempts: Attempts, request: Request): Promise<Response> {
  if (!(await attempts.consume('portalUploadAddress', countedAs(scope.origin.address))))
    return no(429, 'TOO_MANY_REQUESTS', portalMessages.tooMany)
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || !request.body)
    return no(415, 'UNSUPPORTED_CONTENT_TYPE', 'Send the file as multipart/form-data')

  let form: Form
  try {
    form = await readForm(scope, request.body, type)
  } catch (error) {
    if (error instanceof FileRefused) return no(fileRefusals[error.code].status, error.code, error.message)
    if (error instanceof BadForm) return no(422, 'INVALID_INPUT', error.message)
    throw error
  }
  const kept = form.isAlone ? await keep(scope, form) : no(422, 'INVALID_INPUT', 'Send one file at a time')
  if (kept instanceof Response) await scope.files.delete(form.file.storageKey)
  return kept instanceof Response ? kept : Response.json({ success: true, id: form.file.id }, { status: 201 })
}

interface Form {
  file: TakenFile
  /** No other file came with it. */
  isAlone: boolean
  contactId: string
  sessionToken: string
}

class BadForm extends Error {}

/** Reads the form as it comes in: its file goes to the disk, its fields are short. What comes after a refusal is not read. */
async function readForm(scope: Scope, body: ReadableStream<Uint8Array>, type: string): Promise<Form> {
  const parser = openParser(type)
  const fields = new Map<string, string>()
  const refused = new AbortController()
  const state: { taking?: Promise<TakenFile>; stream?: Readable; isAlone: boolean } = { isAlone: true }
  parser.on('filesLimit', () => (state.isAlone = false))
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (field, stream, name) => {
    // A form that is cut off says so here, too; whoever reads the stream hears of it by itself.
    stream.on('error', () => {})
    if (field !== 'file' || state.taking) return void stream.resume()
    state.stream = stream
    state.taking = takeFile(scope, { name, limit: patientFileLimit }, stream as AsyncIterable<Uint8Array>)
    state.taking.catch(() => refused.abort())
  })
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), parser, { signal: refused.signal })
  } catch {
    // The form is cut off or makes no sense, unless it was its file that was refused: then that is what is said.
    state.stream?.destroy(new BadForm(unreadable))
    await state.taking
    throw new BadForm(unreadable)
  }
  if (!state.taking) throw new BadForm('There is no file in this form')
  const file = await state.taking
  return { file, isAlone: state.isAlone, contactId: fields.get('contactId') ?? '', sessionToken: fields.get('sessionToken') ?? '' }
}

const unreadable = 'The form cannot be read'

function openParser(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fields: 10, fieldSize: fieldLimit, fieldNameSize: 50, headerPairs: 20 },
    })
  } catch {
    throw new BadForm(unreadable)
  }
}

async function keep(scope: Scope, { file, contactId, sessionToken }: Form): Promise<Response | PatientScope> {
  const own = await ownScope(scope, { contactId, sessionToken })
  if (own === 'over') return no(401, 'SESSION_OVER', portalMessages.sessionOver)
  if (own === 'foreign') return no(404, 'NOT_FOUND', 'There is no such patient')
  const hasRoom = await scope.db.transaction(async (tx) => {
    // One file of a patient after the other, so that the room is counted right.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`portal upload ${own.patient}`}, 0))`)
    const { files, bytes } = await usedBy(tx, own)
    if (files >= patientQuota.files || bytes + file.size > patientQuota.bytes) return false
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
    return true
  })
  return hasRoom ? own : no(fileRefusals.QUOTA.status, 'QUOTA', fileRefusals.QUOTA.message)
}

async function usedBy(tx: Parameters<typeof asPatient>[0], own: PatientScope): Promise<{ files: number; bytes: number }> {
  const { rows } = await tx.execute<{ files: number; bytes: string }>(sql`
    select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes from documents
    where contact_id = ${own.patient} and upload_source = 'patient'`)
  return { files: rows[0]?.files ?? 0, bytes: Number(rows[0]?.bytes ?? 0) }
}
