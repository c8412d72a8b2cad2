import { oc } from '@orpc/contract'
import { z } from 'zod'
import { shotListNames, timePointNames, viewNames } from '../chart/photos/rules.ts'
import { claim } from './home-contract.ts'
import { portalMessages } from './rules.ts'

const photos = z.object({
  /** Series with released photos, newest first; the photos of each in the order of its views. */
  series: z.array(
    z.object({
      id: z.uuid(),
      shotList: z.enum(shotListNames),
      timePoint: z.enum(timePointNames),
      /** 'yyyy-MM-dd' */
      takenOn: z.string(),
      photos: z.array(
        z.object({
          id: z.uuid(),
          view: z.enum(viewNames),
          /** A signed link to the copy of the photo, for one minute and only while the session is active. */
          fileUrl: z.string(),
        }),
      ),
    }),
  ),
})
export type OwnPhotos = z.output<typeof photos>

/** The photos that the practice has released to the session's patient. */
export const photosContract = {
  fetchPhotos: oc
    .route({
      method: 'POST',
      path: '/functions/patient-photos-fetch',
      summary: 'List the photos that the practice has released to the session’s patient',
      tags: ['Patient portal'],
    })
    .input(claim)
    .errors({
      SESSION_OVER: { status: 401, message: portalMessages.sessionOver },
      NOT_FOUND: { status: 404, message: 'Patient not found' },
    })
    .output(photos),
}
