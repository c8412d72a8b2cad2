import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { optionalText } from '../../shared/text-shapes.ts'
import { adjustLimits } from './adjust-rules.ts'
import { markupContract } from './markup-contract.ts'
import { maxPhotosOfSeries, photoKinds, shotListNames, timePointNames, viewNames } from './rules.ts'

export const photoMessages = {
  title: 'Enter what this series is',
  noTitle: 'Only a series of the kind “Other” has a name of its own',
  future: 'This can’t be in the future',
  kind: 'This is not a photo. Send a JPEG, PNG or HEIC.',
  raw: 'Refyne does not read raw files of cameras. Export the photo as a JPEG and send that.',
  tooSmall: 'This is too small',
  outside: 'The crop can’t be outside the photo',
  blurs: `A photo has at most ${adjustLimits.blurs} blurred parts`,
  inPublicUse:
    'A photo is on the website or on social media under a consent from before this. Consent to public use counts only after the treatment. End that use first.',
  full: `A series takes at most ${maxPhotosOfSeries} photos. Start another one.`,
} as const

const shotList = z.enum(shotListNames, 'Choose what the photos show')
const timePoint = z.enum(timePointNames, 'Choose when the photos are taken')
const view = z.enum(viewNames, 'Choose a view')

const fraction = z.number().min(0).max(1)
const side = z.number().min(adjustLimits.minSide, photoMessages.tooSmall).max(1)
const turn = z.number().min(-180).max(180)
const adjustment = z.strictObject({
  turn: turn.multipleOf(0.1, 'At most one decimal'),
  crop: z
    .strictObject({ x: fraction, y: fraction, width: side, height: side })
    .refine(({ x, y, width, height }) => x + width <= 1.00001 && y + height <= 1.00001, photoMessages.outside)
    .meta({ examples: [{ x: 0.1, y: 0.05, width: 0.8, height: 0.9 }] })
    .nullable(),
  blurs: z
    .array(z.strictObject({ kind: z.enum(['bar', 'ellipse']), x: fraction, y: fraction, width: side, height: side, turn }))
    .max(adjustLimits.blurs, photoMessages.blurs),
})

const photo = z.object({
  id: z.uuid(),
  seriesId: z.uuid(),
  view,
  takenAt: z.date(),
  takenBy: z.uuid().nullable(),
  mimeType: z.enum(photoKinds),
  /** Of the original, in pixels when upright, and in bytes. */
  width: z.number().int(),
  height: z.number().int(),
  size: z.number().int(),
  /** How it is shown and shared; null: as it was taken. */
  adjustment: adjustment.nullable(),
  /** Incremented by every change of the adjustment. */
  version: z.number().int(),
})
export type Photo = z.output<typeof photo>

const seriesHead = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  /** Incremented by every change of the series itself. */
  version: z.number().int(),
  procedureId: z.uuid().nullable(),
  shotList,
  timePoint,
  /** Of the time point `other`. */
  title: z.string().nullable(),
  /** 'yyyy-MM-dd' */
  takenOn: z.string(),
  technique: z.string().nullable(),
  createdBy: z.uuid().nullable(),
})
const series = seriesHead.extend({ photos: z.array(photo) })
export type Series = z.output<typeof series>

const startedSeries = seriesHead.extend({
  /** The views of which there is a photo. Staff who only take photos do not get the photos themselves. */
  takenViews: z.array(view),
})
export type StartedSeries = z.output<typeof startedSeries>

const seriesFields = {
  procedureId: z.uuid('Choose a procedure').nullable().default(null),
  shotList,
  timePoint,
  title: optionalText(60).default(null),
  takenOn: calendarDay,
  technique: optionalText(60).default(null),
}

function checkTitle(given: { timePoint: string; title: string | null }, context: z.RefinementCtx): void {
  const isOther = given.timePoint === 'other'
  const hasTitle = given.title !== null
  if (isOther === hasTitle) return
  context.addIssue({ code: 'custom', path: ['title'], message: isOther ? photoMessages.title : photoMessages.noTitle })
}

export const newSeries = z.strictObject(seriesFields).superRefine(checkTitle)
export type NewSeries = z.output<typeof newSeries>

const changedSeries = z.strictObject({ ...seriesFields, id: z.uuid(), version: z.number().int().min(1) }).superRefine(checkTitle)
export type ChangedSeries = z.output<typeof changedSeries>

const byContact = { contactId: z.uuid() }
const byId = z.strictObject({ id: z.uuid() })
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const noSeries = { NOT_FOUND: { status: 404, message: 'This series does not exist' } } as const
const noPhoto = { NOT_FOUND: { status: 404, message: 'This photo does not exist' } } as const
const invalidFields = {
  INVALID_REFERENCE: { status: 422, message: 'Some fields are not valid', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const tags = ['Photos']

export const photosContract = {
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/photos', tags, summary: 'List a patient’s photos by series, newest series first' })
    .input(z.strictObject(byContact))
    .errors(noPatient)
    .output(z.array(series)),
  seriesOfContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/photo-series',
      tags,
      summary: 'List a patient’s series of photos and the views that were taken, without the photos',
    })
    .input(z.strictObject(byContact))
    .errors(noPatient)
    .output(z.array(startedSeries)),
  addSeries: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/photo-series', tags, summary: 'Start a series of photos' })
    .input(newSeries.safeExtend(byContact))
    .errors({ ...noPatient, ...invalidFields })
    .output(startedSeries),
  changeSeries: oc
    .route({ method: 'PUT', path: '/photo-series/{id}', tags, summary: 'Change what a series of photos is and when it was taken' })
    .input(changedSeries)
    .errors({
      ...noSeries,
      ...invalidFields,
      CONFLICT: { status: 409, message: 'Someone else has changed this series', data: z.object({ current: startedSeries }) },
    })
    .output(startedSeries),
  deleteSeries: oc
    .route({ method: 'DELETE', path: '/photo-series/{id}', tags, summary: 'Delete a series without photos' })
    .input(byId)
    .errors({ ...noSeries, IN_USE: { status: 409, message: 'This series has photos' } })
    .output(z.object({ id: z.uuid() })),
  change: oc
    .route({
      method: 'PATCH',
      path: '/photos/{id}',
      tags,
      summary: 'Say which view a photo shows, or move it to another series of the patient',
    })
    .input(z.strictObject({ id: z.uuid(), view: view.optional(), seriesId: z.uuid().optional() }))
    .errors({ ...noPhoto, ...invalidFields })
    .output(photo),
  delete: oc
    .route({ method: 'DELETE', path: '/photos/{id}', tags, summary: 'Delete a photo; it can be restored for 32 days' })
    .input(byId)
    .errors(noPhoto)
    .output(z.object({ id: z.uuid() })),
  restore: oc
    .route({ method: 'POST', path: '/photos/{id}/restore', tags, summary: 'Restore a deleted photo' })
    .input(byId)
    .errors(noPhoto)
    .output(photo),
  adjust: oc
    .route({ method: 'PUT', path: '/photos/{id}/adjustment', tags, summary: 'Turn, crop and blur how a photo is shown and shared' })
    .input(adjustment.safeExtend({ id: z.uuid(), version: z.number().int().min(1) }))
    .errors({
      ...noPhoto,
      CONFLICT: { status: 409, message: 'Someone else has changed how this photo is shown', data: z.object({ current: photo }) },
    })
    .output(photo),
  ...markupContract,
}
