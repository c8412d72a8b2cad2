import { oc } from '@orpc/contract'
import { z } from 'zod'
import { optionalText, requiredText } from '../../shared/text-shapes.ts'
import { type CardFields, cardProblems, healthCardMessages, maxTypedLength, normalizeNumber, provinceCodes } from './rules.ts'

/** A health card without its number. */
const healthCard = z.object({
  /** Incremented by every change. */
  version: z.number().int(),
  province: z.enum(provinceCodes),
  /** The last four characters of the number. */
  lastDigits: z.string(),
  versionCode: z.string().nullable(),
})
export type HealthCard = z.output<typeof healthCard>

const found = z.object({ card: healthCard.nullable() })

const fields = {
  number: requiredText(maxTypedLength, healthCardMessages.missing).transform(normalizeNumber),
  versionCode: optionalText(2)
    .transform((code) => code?.toUpperCase() ?? null)
    .default(null),
  province: z.enum(provinceCodes, 'Choose a province').default('ON'),
}

const checked = <Shape extends z.ZodType<CardFields>>(shape: Shape) =>
  shape.superRefine((card, context) => {
    for (const [field, message] of Object.entries(cardProblems(card))) context.addIssue({ code: 'custom', path: [field], message })
  })

/** The fields of the dialog. */
export const cardFields = checked(z.strictObject(fields))

const byContact = z.strictObject({ contactId: z.uuid() })
const tags = ['Health cards']
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const

export const healthCardsContract = {
  get: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/health-card', tags, summary: 'Get a patient’s health card, without its number' })
    .input(byContact)
    .errors(noPatient)
    .output(found),
  number: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/health-card/number',
      tags,
      summary: 'Get the whole number of a patient’s health card; the audit log records each view',
    })
    .input(byContact)
    .errors({
      NOT_FOUND: { status: 404, message: 'This patient has no health card' },
      UNREADABLE: { status: 409, message: 'The number was stored with a secret that the server no longer has. Enter it again.' },
    })
    .output(z.object({ number: z.string() })),
  set: oc
    .route({ method: 'PUT', path: '/contacts/{contactId}/health-card', tags, summary: 'Add or replace a patient’s health card' })
    .input(
      checked(
        z.strictObject({
          contactId: z.uuid(),
          ...fields,
          /** Of the card that this one replaces; 0 for a patient without one. */
          version: z.number('The version is missing').int().min(0),
        }),
      ),
    )
    .errors({
      ...noPatient,
      CONFLICT: { status: 409, message: 'Someone else has changed this health card. Nothing was overwritten.', data: found },
    })
    .output(found),
  remove: oc
    .route({ method: 'DELETE', path: '/contacts/{contactId}/health-card', tags, summary: 'Remove a patient’s health card' })
    .input(byContact)
    .errors(noPatient)
    .output(found),
}
