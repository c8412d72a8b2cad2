import { inShotOrder } from '../chart/photos/rules.ts'
import { findOwnPhoto, listOwnPhotos } from '../chart/photo-uses/service.ts'
import type { Scope } from '../kernel/scope.ts'
import { openSigned, signedQuery } from './file-links.ts'
import type { OwnPhotos } from './photos-contract.ts'
import type { PatientScope } from './sessions.ts'

/** The photos that staff have released to the patient, by series, each with a link to its copy that works for one minute. */
export async function getPhotos(scope: PatientScope): Promise<OwnPhotos> {
  const rows = await listOwnPhotos(scope)
  if (rows.length > 0) await scope.recordView({ kind: 'photo', contactIds: [scope.patient] })
  const fileUrl = (id: string) => `/api/functions/patient-photo-file/${id}?${signedQuery(scope, { id, as: 'photo' })}`
  return {
    series: [...Map.groupBy(rows, ({ seriesId }) => seriesId).values()].map((ofSeries) => {
      const { seriesId, shotList, timePoint, takenOn } = ofSeries[0]!
      const photos = inShotOrder(shotList, ofSeries).map(({ id, view }) => ({ id, view, fileUrl: fileUrl(id) }))
      return { id: seriesId, shotList, timePoint, takenOn, photos }
    }),
  }
}

/** The photo of a link, if link and session are valid and the photo is released to the patient now; otherwise null. */
export async function openPhotoLink(scope: Scope, id: string, query: URLSearchParams) {
  const own = await openSigned(scope, { id, as: 'photo' }, query)
  const photo = own && (await findOwnPhoto(own, id))
  return photo && { scope: own, photo }
}
