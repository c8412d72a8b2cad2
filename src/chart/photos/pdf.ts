import { and, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { letterheadOf, patientFacts, type PdfPictures, pdfResponse } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { formatMediumDay } from '../../shared/translations.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { unadjusted, visibleBox } from './adjust-rules.ts'
import { maxPhotosOfPdf, timePoints, views } from './rules.ts'
import { changedCopyOf } from './shared-copy.ts'
import { photos, photoSeries } from './table.ts'

const idList = z
  .string()
  .transform((ids) => [...new Set(ids.split(','))])
  .pipe(z.array(z.uuid('Send the ids of photos')).min(1).max(maxPhotosOfPdf, `A PDF holds at most ${maxPhotosOfPdf} photos`))

const answer = (status: number, code: string, message: string): Response => Response.json({ code, message }, { status })

/**
 * GET /api/photos.pdf?ids=…,…: photos of one patient, such as a comparison or a series, with two identifiers, views and dates, in the order of
 * the ids. They are turned and cropped as they are shown, without blurs: the PDF names the patient. The audit log records it as an export.
 */
export async function photosPdfResponse(scope: Scope, request: Request): Promise<Response> {
  const ids = idList.safeParse(new URL(request.url).searchParams.get('ids') ?? '')
  if (!ids.success) return answer(422, 'INVALID_INPUT', `ids: ${ids.error.issues[0]!.message}`)
  const rows = await scope.db
    .select({ photo: photos, series: photoSeries })
    .from(photos)
    .innerJoin(photoSeries, eq(photoSeries.id, photos.seriesId))
    .where(and(inArray(photos.id, ids.data), isNull(photos.deletedAt)))
  const [first] = rows
  if (!first || rows.length < ids.data.length) return answer(404, 'NOT_FOUND', 'A photo does not exist')
  const { contactId } = first.photo
  if (rows.some(({ photo }) => photo.contactId !== contactId))
    return answer(422, 'INVALID_INPUT', 'ids: The photos are of several patients')
  const [contact] = await scope.db.select().from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return answer(404, 'NOT_FOUND', 'A photo does not exist')
  await recordChange(scope.db, scope, { action: 'exported', kind: 'photo', contactIds: [contactId], after: { ids: ids.data } })

  const pictures: PdfPictures['pictures'] = []
  for (const id of ids.data) {
    const { photo, series } = rows.find((row) => row.photo.id === id)!
    const view = { ...(photo.adjustment ?? unadjusted), blurs: [] }
    const jpeg = await changedCopyOf(scope, photo, view, printSide)
    if (!(jpeg instanceof Uint8Array))
      return jpeg.refusal === 'BUSY'
        ? answer(503, 'BUSY', 'The server is preparing many photos. Try again in a minute.')
        : answer(410, 'FILE_MISSING', 'The file of a photo is missing')
    const { width, height } = visibleBox(photo, view)
    const title = series.title ?? timePoints[series.timePoint]
    pictures.push({ jpeg, width, height, lines: [`${views[photo.view]}, ${title}`, formatMediumDay(series.takenOn, 'en')] })
  }
  const name = `${contact.firstName} ${contact.lastName}`
  const born = contact.dateOfBirth ? `Born ${formatMediumDay(contact.dateOfBirth, 'en')}` : 'Date of birth not on file'
  const bytes = await renderPdf({
    letterhead: letterheadOf(scope, 'en', { isClinical: true }),
    title: 'Photos',
    head: `${name} · ${born}`,
    warning: null,
    facts: patientFacts(contact),
    parts: [{ pictures }],
    notes: [],
  })
  return pdfResponse(`Photos ${name}`, bytes)
}

/** The longer side of a printed photo in pixels: 300 for each inch of its column. */
const printSide = 1200
