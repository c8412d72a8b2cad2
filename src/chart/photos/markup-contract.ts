import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredText } from '../../shared/text-shapes.ts'
import { countPoints, markupColours, markupLimits, textSizes } from './markup-rules.ts'

export const markupMessages = {
  empty: 'Draw something first',
  shapes: `A layer holds at most ${markupLimits.shapes} shapes. Save it and start another one.`,
  points: 'This layer holds too many strokes. Save it and start another one.',
  stroke: `A stroke has at most ${markupLimits.points} points`,
  place: 'A shape can’t be outside the photo',
  noText: 'Enter a text',
  mm: `Enter a length between 0.1 and ${markupLimits.mm} mm`,
  oneScale: 'Only one line of a layer can have a known length',
  sameId: 'Two shapes have the same id',
  noLength: 'A line with a known length can’t be a point',
  full: `A photo holds at most ${markupLimits.layers} layers. Delete one of yours first.`,
} as const

const fraction = z.number(markupMessages.place).min(0, markupMessages.place).max(1, markupMessages.place)
const place = z.tuple([fraction, fraction])
const drawn = { id: z.string().regex(/^[\w-]{1,40}$/), colour: z.enum(markupColours, 'Choose a colour') }

const shape = z.discriminatedUnion('kind', [
  z.strictObject({ ...drawn, kind: z.literal('pen'), points: z.array(place).min(1).max(markupLimits.points, markupMessages.stroke) }),
  z.strictObject({ ...drawn, kind: z.literal('arrow'), from: place, to: place }),
  z.strictObject({
    ...drawn,
    kind: z.literal('measure'),
    from: place,
    to: place,
    knownMm: z.number(markupMessages.mm).min(0.1, markupMessages.mm).max(markupLimits.mm, markupMessages.mm).nullable(),
  }),
  z.strictObject({
    ...drawn,
    kind: z.literal('text'),
    at: place,
    text: requiredText(markupLimits.text, markupMessages.noText),
    size: z.enum(textSizes),
  }),
])

const shapes = z
  .array(shape)
  .min(1, markupMessages.empty)
  .max(markupLimits.shapes, markupMessages.shapes)
  .superRefine((given, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message })
    if (countPoints(given) > markupLimits.layerPoints) refuse(markupMessages.points)
    if (new Set(given.map(({ id }) => id)).size < given.length) refuse(markupMessages.sameId)
    const known = given.flatMap((one) => (one.kind === 'measure' && one.knownMm !== null ? [one] : []))
    if (known.length > 1) refuse(markupMessages.oneScale)
    if (known.some(({ from, to }) => from[0] === to[0] && from[1] === to[1])) refuse(markupMessages.noLength)
  })

const layer = z.object({
  id: z.uuid(),
  photoId: z.uuid(),
  /** Incremented by every change. */
  version: z.number().int(),
  authorId: z.uuid(),
  shapes: z.array(shape),
  createdAt: z.date(),
  updatedAt: z.date(),
})
export type Layer = z.output<typeof layer>

const noPhoto = { NOT_FOUND: { status: 404, message: 'This photo does not exist' } } as const
const noLayer = { NOT_FOUND: { status: 404, message: 'This layer does not exist' } } as const
const notAuthor = { NOT_AUTHOR: { status: 409, message: 'Only the person who drew this layer can change or delete it' } } as const
const tags = ['Photos']

/** Calls of `photos`. */
export const markupContract = {
  layers: oc
    .route({ method: 'GET', path: '/photo-layers', tags, summary: 'List the layers of markup on a photo, oldest first' })
    .input(z.strictObject({ photoId: z.uuid() }))
    .errors(noPhoto)
    .output(z.array(layer)),
  addLayer: oc
    .route({ method: 'POST', path: '/photo-layers', tags, summary: 'Add a layer of markup to a photo' })
    .input(z.strictObject({ photoId: z.uuid(), shapes }))
    .errors({ ...noPhoto, FULL: { status: 409, message: markupMessages.full } })
    .output(layer),
  changeLayer: oc
    .route({ method: 'PUT', path: '/photo-layers/{id}', tags, summary: 'Change a layer of markup; only its author does' })
    .input(z.strictObject({ id: z.uuid(), version: z.number().int().min(1), shapes }))
    .errors({
      ...noLayer,
      ...notAuthor,
      CONFLICT: { status: 409, message: 'This layer was changed elsewhere', data: z.object({ current: layer }) },
    })
    .output(layer),
  deleteLayer: oc
    .route({ method: 'DELETE', path: '/photo-layers/{id}', tags, summary: 'Delete a layer of markup; only its author does' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ ...noLayer, ...notAuthor })
    .output(z.object({ id: z.uuid() })),
}
