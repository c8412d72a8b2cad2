import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { DamagedFileError } from '../../integrations/storage/store.ts'
import { describeError } from '../../kernel/errors.ts'
import { type AddToZip, zipBytes } from '../../kernel/files/zip-file.ts'
import { downloadResponse } from '../../kernel/http/download-response.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { createConcurrencyLimit, exportsBusy } from '../../kernel/workers/concurrency-limit.ts'
import { isUuid } from '../../shared/text.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { numberedNames, safeName } from '../../documents/rules.ts'
import { alertAdministrators, originalsOf } from '../photos/service.ts'
import { areOfPatient } from './consent-of-photo.ts'
import { noConsentMessage, photoDownload, photoUseMessages } from './contract.ts'
import { todayOf } from './live.ts'
import type { DownloadPurpose } from './rules.ts'
import { consentOfEach } from './uses.ts'

/** Per process. A download may be gigabytes and takes as long as the client needs to read it. */
const acquire = createConcurrencyLimit({ maxConcurrent: 2, limit: { name: 'photoDownload', of: 'photos' } })

const refused = (status: number, code: string, message: string, data?: object): Response =>
  Response.json({ code, message, ...(data && { data }) }, { status })

/**
 * POST /api/contacts/{id}/photos.zip: the originals of photos of one patient, for a purpose and with a reason. 409 NO_CONSENT names the photos that
 * may not leave for this purpose, and none leaves. The audit log has the download and administrators are warned of it before the first byte leaves.
 */
export async function photosZipResponse(scope: Scope, contactId: string, request: Request): Promise<Response> {
  const asked = photoDownload.safeParse(await request.json().catch(() => null))
  if (!asked.success) {
    const fields = Object.fromEntries(asked.error.issues.toReversed().map(({ path, message }) => [path[0] ?? 'body', message]))
    return refused(422, 'INVALID_INPUT', 'Please check the marked fields', { fields })
  }
  const [contact] = isUuid(contactId) ? await scope.db.select().from(contacts).where(eq(contacts.id, contactId)) : []
  if (!contact) return refused(404, 'NOT_FOUND', 'This patient does not exist')
  const turn = await acquire(scope)
  if (!turn) return exportsBusy()
  try {
    const begun = await begin(scope, { contactId, ...asked.data })
    if (!isRefusal(begun))
      return downloadResponse({
        name: safeName(`${contact.firstName} ${contact.lastName}, photos, ${todayOf(scope)}.zip`),
        type: 'application/zip',
        bytes: zipBytes((add) => fill(scope, begun, add)),
        onEnd: turn.end,
      })
    turn.end()
    return begun.refusal === 'NO_CONSENT'
      ? refused(409, 'NO_CONSENT', noConsentMessage, begun.data)
      : refused(422, 'INVALID_REFERENCE', 'Some fields are not valid', begun.data)
  } catch (error) {
    turn.end()
    throw error
  }
}

interface Asked {
  contactId: string
  photoIds: string[]
  purpose: DownloadPurpose
  reason: string
}

/** Checks the photos and their consents, and writes down that they leave. */
const begin = (scope: Scope, { contactId, photoIds, purpose, reason }: Asked) =>
  transact(scope.db, async (tx) => {
    if (purpose === 'patient') {
      if (!(await areOfPatient(tx, photoIds, contactId))) return invalidReference({ photoIds: photoUseMessages.otherPatient })
    } else {
      const allowed = await consentOfEach(tx, scope, { contactId, photoIds, purpose })
      if (allowed === null) return invalidReference({ photoIds: photoUseMessages.otherPatient })
      if (isRefusal(allowed)) return allowed
    }
    const count = photoIds.length
    await recordChange(tx, scope, {
      action: 'exported',
      kind: 'photo',
      contactIds: [contactId],
      after: { purpose, reason, photos: count, ids: photoIds },
    })
    await alertAdministrators(tx, scope, {
      title: 'Check a download of photos',
      description: `Someone downloaded ${count === 1 ? '1 photo' : `${count} photos`} of a patient. The audit log says who, of whom and why, under the kind Photo.`,
      except: staff(scope).id,
    })
    return originalsOf(tx, scope, contactId, photoIds)
  })

/** Adds the photos one after the other, opening each only when it is written. What is missing in the storage is named in a text. */
async function fill(scope: Scope, originals: Awaited<ReturnType<typeof originalsOf>>, add: AddToZip): Promise<void> {
  const names = numberedNames(originals.map(({ name }) => safeName(name)))
  const missing: string[] = []
  try {
    for (const [place, { id, at, storageKey }] of originals.entries()) {
      // Read whole, because an alteration may be found at its end: an original has at most 50 MB.
      const bytes = await readFile(scope, storageKey).catch((error: unknown) => {
        // The other photos leave without one that was altered, which the store has reported.
        if (!(error instanceof DamagedFileError)) throw error
        return null
      })
      if (bytes) await add(names[place]!, bytes, { at, isCompressed: true })
      else {
        scope.log.error({ photoId: id }, 'The bytes of a photo are missing')
        missing.push(names[place]!)
      }
    }
    if (missing.length > 0)
      await add('Missing.txt', Buffer.from(`The files of these photos are missing or were altered on the server:\n${missing.join('\n')}\n`))
  } catch (error) {
    // The reader can see that the zip is truncated. A client that disconnected is one of the causes, so this is a warning and not an error.
    scope.log.warn({ requestId: scope.origin.requestId, error: describeError(error) }, 'A download of photos was not sent completely')
    throw error
  }
}

async function readFile({ files }: Scope, storageKey: string): Promise<Buffer | null> {
  const file = await files.get(storageKey)
  return file && buffer(file.bytes)
}
