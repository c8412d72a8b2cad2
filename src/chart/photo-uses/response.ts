import { and, eq } from 'drizzle-orm'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { sharedCopyOf } from '../photos/shared-copy.ts'
import { photos } from '../photos/table.ts'
import { photoUseMessages } from './contract.ts'
import { isLive } from './live.ts'
import { isWithinLimit, sharedPhoto } from './sharing.ts'
import { photoUses } from './table.ts'

const notFound = (message = 'This photo is not shown any more'): Response =>
  Response.json({ code: 'NOT_FOUND', message }, { status: 404, headers: { 'cache-control': 'no-store' } })

/** GET /api/consult-gallery/{id}.jpg: the photo of a use in the consult room. */
export const consultImageResponse = (scope: Scope, useId: string): Promise<Response> => liveImage(scope, 'consult_room', useId, 'no-store')

/**
 * GET /api/gallery/{id}.jpg: the photo of a use on the website, for everyone. Browsers and caches keep it for 30 seconds, so that it is gone
 * within a minute of a withdrawal.
 */
export async function websiteImageResponse(scope: Scope, useId: string): Promise<Response> {
  const isWithinRate = await scope.attempts.consume('galleryImage', rateLimitKey(scope.origin.address))
  return isWithinRate ? liveImage(scope, 'website', useId, 'public, max-age=30') : tooMany()
}

const tooMany = (): Response => Response.json({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests' }, { status: 429 })

async function liveImage(scope: Scope, purpose: 'consult_room' | 'website', useId: string, caching: string): Promise<Response> {
  const [found] = isUuid(useId)
    ? await scope.db
        .select({ id: photos.id, contactId: photos.contactId })
        .from(photoUses)
        .innerJoin(photos, eq(photos.id, photoUses.photoId))
        .where(and(eq(photoUses.id, useId), eq(photoUses.purpose, purpose), isLive(scope)))
    : []
  if (!found) return notFound()
  // A website's visitors are many, and what they see is public.
  if (purpose === 'consult_room') await scope.recordView({ kind: 'photo use', contactIds: [found.contactId] })
  return imageOf(scope, found.id, caching)
}

/** GET /api/shared-photos/{token}/{id}.jpg: a photo behind a link. */
export async function sharedImageResponse(scope: Scope, token: string, photoId: string): Promise<Response> {
  if (!(await isWithinLimit(scope))) return tooMany()
  const found = token.length <= 200 && isUuid(photoId) ? await sharedPhoto(scope, token, photoId) : null
  if (!found) return notFound(photoUseMessages.noLink)
  await scope.recordView({ kind: 'photo', contactIds: [found.contactId] })
  return imageOf(scope, found.id, 'no-store')
}

/** The copy that may leave the chart: turned, cropped and blurred as the photo says. */
async function imageOf(scope: Scope, photoId: string, caching: string): Promise<Response> {
  const copy = await sharedCopyOf(scope, photoId)
  if (!copy) return notFound()
  if ('refusal' in copy)
    return copy.refusal === 'BUSY'
      ? Response.json(
          { code: 'BUSY', message: 'The server is preparing many photos. Try again in a minute.' },
          { status: 503, headers: { 'retry-after': '30' } },
        )
      : notFound()
  return new Response(copy.bytes, {
    headers: {
      'content-type': 'image/jpeg',
      'content-length': String(copy.size),
      'content-disposition': 'inline; filename="photo.jpg"',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': caching,
    },
  })
}
