import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Of the picture that is sent, in bytes. Pages send one of at most 512 pixels. */
const portraitLimit = 150_000
export const portraitMessages = {
  missing: 'Choose a picture',
  tooLarge: 'The picture can have at most 150 KB',
  unreadable: 'This picture cannot be read. Choose a JPEG, PNG or WebP image.',
} as const

const found = z.object({
  /** Null for a patient without one. */
  portrait: z.object({ /** A WebP of 256 by 256 pixels, in base64. */ image: z.string(), updatedAt: z.date() }).nullable(),
})
export type Portrait = z.output<typeof found>
const byContact = z.strictObject({ contactId: z.uuid() })
const path = '/contacts/{contactId}/portrait'
const tags = ['Portraits']
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const

export const portraitsContract = {
  get: oc.route({ method: 'GET', path, tags, summary: 'Get a patient’s portrait' }).input(byContact).errors(noPatient).output(found),
  set: oc
    .route({ method: 'PUT', path, tags, summary: 'Add or replace a patient’s portrait; it is cropped to a square' })
    .input(
      byContact.extend({
        image: z
          .base64(portraitMessages.missing)
          .min(1, portraitMessages.missing)
          .max(Math.ceil(portraitLimit / 3) * 4, portraitMessages.tooLarge),
      }),
    )
    .errors({
      ...noPatient,
      UNREADABLE_IMAGE: { status: 422, message: portraitMessages.unreadable, data: z.object({ fields: z.record(z.string(), z.string()) }) },
    })
    .output(found),
  remove: oc
    .route({ method: 'DELETE', path, tags, summary: 'Remove a patient’s portrait' })
    .input(byContact)
    .errors(noPatient)
    .output(found),
}
