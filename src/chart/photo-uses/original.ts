import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { type Scope, staff } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { missingResponse, openPhotoFile, photoResponse } from '../photos/service.ts'
import { photos } from '../photos/table.ts'
import { gapOfUse } from './consent-of-photo.ts'
import { photoUseMessages } from './contract.ts'
import { downloadPurposes, gapTexts } from './rules.ts'

const takenOutFor = z.enum(downloadPurposes)
const answer = (status: number, code: string, message: string): Response => Response.json({ code, message }, { status })

/**
 * GET /api/photos/{id}/original?purpose=…: a photo leaves the chart as it was taken. `purpose` says what for, the patient has to have consented to
 * it (409 NO_CONSENT), and the audit log keeps it. `patient`: the patient asked for it.
 */
export async function originalResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const [photo] = isUuid(id)
    ? await scope.db
        .select()
        .from(photos)
        .where(and(eq(photos.id, id), isNull(photos.deletedAt)))
    : []
  if (!photo) return answer(404, 'NOT_FOUND', 'This photo does not exist')
  const { contactId } = photo
  const purpose = takenOutFor.safeParse(new URL(request.url).searchParams.get('purpose'))
  if (!purpose.success) return answer(422, 'INVALID_INPUT', `purpose: ${photoUseMessages.purpose}`)
  if (!(await scope.attempts.consume('photoOriginal', staff(scope).id)))
    return answer(
      429,
      'TOO_MANY_REQUESTS',
      'You have downloaded many photos one by one. Download several at once, or try again in an hour.',
    )
  const gap = purpose.data === 'patient' ? null : await gapOfUse(scope, { contactId, photoId: id, purpose: purpose.data })
  if (gap !== null) return answer(409, 'NO_CONSENT', gapTexts[gap])
  await recordChange(scope.db, scope, { action: 'exported', kind: 'photo', contactIds: [contactId], after: { id, purpose: purpose.data } })
  const file = await openPhotoFile(scope, id, 'original')
  return file ? photoResponse(scope, photo, file) : missingResponse()
}
