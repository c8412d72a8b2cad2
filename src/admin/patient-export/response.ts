import { describeError } from '../../kernel/errors.ts'
import { createConcurrencyLimit, exportsBusy } from '../../kernel/workers/concurrency-limit.ts'
import { downloadResponse } from '../../kernel/http/download-response.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type AddToZip, zipBytes } from '../../kernel/files/zip-file.ts'
import { isUuid } from '../../shared/text.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { safeName } from '../../documents/rules.ts'
import { indexPage, type Outcome } from './index-page.ts'
import { findRecordSubject } from './parts.ts'
import { type Found, recordJson } from './record-json.ts'

/** Per process. An export may be gigabytes and takes as long as the client needs to read it. */
const acquire = createConcurrencyLimit({ maxConcurrent: 2, limit: { name: 'patientExport', of: 'patients' } })

/**
 * GET /api/contacts/{id}/whole-record.zip: everything stored about a patient, generated while it is sent. The export is in the audit log
 * before the first byte leaves.
 */
export async function wholeRecordResponse(scope: Scope, contactId: string): Promise<Response> {
  const subject = isUuid(contactId) ? await findRecordSubject(scope.db, contactId) : null
  if (!subject) return Response.json({ code: 'NOT_FOUND', message: 'This patient does not exist' }, { status: 404 })
  const turn = await acquire(scope)
  if (!turn) return exportsBusy()
  try {
    await recordChange(scope.db, scope, { action: 'exported', kind: 'whole-record', contactIds: [contactId], after: { format: 'zip' } })
  } catch (error) {
    turn.end()
    throw error
  }
  const name = `${subject.firstName} ${subject.lastName}`
  return downloadResponse({
    name: safeName(`${name}, patient record, ${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}.zip`),
    type: 'application/zip',
    bytes: zipBytes((add) => fill(scope, { ...subject, name }, add)),
    onEnd: turn.end,
  })
}

type Patient = NonNullable<Awaited<ReturnType<typeof findRecordSubject>>> & { name: string }

/**
 * Adds the files one after the other, opening each only when it is written. The index page comes last because it lists the files that are
 * missing.
 */
async function fill(scope: Scope, patient: Patient, add: AddToZip): Promise<void> {
  const at = scope.now()
  const found: Found = { counts: {}, documents: [], pdfs: [] }
  const files: Outcome[] = []
  try {
    await add('record.json', recordJson(scope, patient, found), { at })
    for (const file of [...found.documents, ...found.pdfs]) {
      const bytes = file.withheld ?? (await file.open())
      const withheld = typeof bytes === 'string' ? bytes : null
      files.push({ file, withheld })
      if (typeof bytes !== 'string') await add(file.path, bytes, { at: file.at, isCompressed: true })
    }
    const page = indexPage({ name: patient.name, dateOfBirth: patient.dateOfBirth, at, practice: scope.env, counts: found.counts, files })
    await add('index.html', Buffer.from(page), { at })
  } catch (error) {
    // The reader can see that the zip is truncated. A client that disconnected is one of the causes, so this is a warning and not an error.
    scope.log.warn({ requestId: scope.origin.requestId, error: describeError(error) }, 'A patient record export was not sent completely')
    throw error
  }
}
