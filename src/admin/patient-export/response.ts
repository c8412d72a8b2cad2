import { describeError } from '../../kernel/errors.ts'
import { createConcurrencyLimit, exportsBusy } from '../../kernel/workers/concurrency-limit.ts'
import { fileAnswer } from '../../kernel/http/file-answer.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type AddToZip, zipBytes } from '../../kernel/files/zip-file.ts'
import { isUuid } from '../../shared/text.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { safeName } from '../../documents/rules.ts'
import { indexPage, type Outcome } from './index-page.ts'
import { whoseRecord } from './parts.ts'
import { type Found, recordJson } from './record-json.ts'

/** In each process. One may have gigabytes, and takes as long as its reader needs. */
const acquire = createConcurrencyLimit({ atOnce: 2, limit: { name: 'patientExport', of: 'patients' } })

/**
 * GET /api/contacts/{id}/whole-record.zip: everything that is kept of a patient, made while it is sent. That it was exported is in the audit log
 * before the first byte leaves.
 */
export async function wholeRecordResponse(scope: Scope, contactId: string): Promise<Response> {
  const whose = isUuid(contactId) ? await whoseRecord(scope.db, contactId) : null
  if (!whose) return Response.json({ code: 'NOT_FOUND', message: 'This patient does not exist' }, { status: 404 })
  const turn = await acquire(scope)
  if (!turn) return exportsBusy()
  try {
    await recordChange(scope.db, scope, { action: 'exported', kind: 'whole-record', contactIds: [contactId], after: { format: 'zip' } })
  } catch (error) {
    turn.end()
    throw error
  }
  const name = `${whose.firstName} ${whose.lastName}`
  return fileAnswer({
    name: safeName(`${name}, whole record, ${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}.zip`),
    type: 'application/zip',
    bytes: zipBytes((add) => fill(scope, { ...whose, name }, add)),
    onEnd: turn.end,
  })
}

type Patient = NonNullable<Awaited<ReturnType<typeof whoseRecord>>> & { name: string }

/** One file after the other, none opened before its turn; the page that names those that are missing comes last. */
async function fill(scope: Scope, patient: Patient, add: AddToZip): Promise<void> {
  const at = scope.now()
  const found: Found = { counts: {}, documents: [], papers: [] }
  const files: Outcome[] = []
  try {
    await add('record.json', recordJson(scope, patient, found), { at })
    for (const file of [...found.documents, ...found.papers]) {
      const bytes = file.withheld ?? (await file.open())
      const withheld = typeof bytes === 'string' ? bytes : null
      files.push({ file, withheld })
      if (typeof bytes !== 'string') await add(file.path, bytes, { at: file.at, isPacked: true })
    }
    const page = indexPage({ name: patient.name, at, practice: scope.env, counts: found.counts, files })
    await add('index.html', Buffer.from(page), { at })
  } catch (error) {
    // Anyone who reads it sees that it was cut off. That they went away is one of the reasons, and no failure of ours.
    scope.log.warn({ requestId: scope.origin.requestId, error: describeError(error) }, 'A whole record was not sent to its end')
    throw error
  }
}
