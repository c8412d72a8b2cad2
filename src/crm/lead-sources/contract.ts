import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { type FieldMap, mappableFields, maxFieldName } from './rules.ts'

const leadSource = z.object({
  id: z.uuid(),
  name: z.string(),
  hasWebhookKey: z.boolean(),
  thankYouUrl: z.string().nullable(),
  /** Whether new patients from this source are sent the template 'welcome_email', once per address. */
  sendsWelcome: z.boolean(),
  /** A retired source is no longer offered. Patients and forms that use it keep it. */
  isActive: z.boolean(),
})

const receivedName = z
  .string()
  .min(1, 'Choose a received field')
  .max(maxFieldName, `Use at most ${maxFieldName} characters`)
  .refine(isStorable, notStorable)
  .optional()
/** Maps lead fields to the source's field names. */
export const fieldMap: z.ZodType<FieldMap, FieldMap> = z.strictObject(
  Object.fromEntries(mappableFields.map((field) => [field, receivedName])) as Record<keyof FieldMap, typeof receivedName>,
)
const name = requiredLine(100, 'Name is required')
const thankYouUrl = optionalText(500).refine(
  (url) => url === null || /^https?:\/\/[^\s]+$/i.test(url),
  'Enter a web address that starts with http:// or https://',
)
const sendsWelcome = z.boolean('Must be true or false')
const byId = z.strictObject({ id: z.uuid() })
const taken = { NAME_TAKEN: { status: 409, message: 'A lead source with this name already exists' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This lead source does not exist' } } as const
const route = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: '/lead-sources' | `/lead-sources/${string}`, summary: string) =>
  oc.route({ method, path, summary, tags: ['Lead sources'] })

export const leadSourcesContract = {
  list: route('GET', '/lead-sources', 'List lead sources by name').output(z.array(leadSource)),
  get: route('GET', '/lead-sources/{id}', 'Get a lead source with its intake URL and the number of its patients and leads')
    .input(byId)
    .errors(notFound)
    .output(leadSource.extend({ intakeAddress: z.string(), patients: z.number().int(), leads: z.number().int(), fieldMap })),
  create: route('POST', '/lead-sources', 'Add a lead source; its webhook key is shown once')
    .input(z.strictObject({ name, thankYouUrl: thankYouUrl.optional(), sendsWelcome: sendsWelcome.optional() }))
    .errors(taken)
    .output(leadSource.extend({ webhookKey: z.string() })),
  update: route('PATCH', '/lead-sources/{id}', 'Change a lead source')
    .input(
      byId
        .extend({
          name: name.optional(),
          thankYouUrl: thankYouUrl.optional(),
          sendsWelcome: sendsWelcome.optional(),
          isActive: z.boolean().optional(),
        })
        .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), 'Specify what to change'),
    )
    .errors({ ...taken, ...notFound })
    .output(leadSource),
  rotateKey: route('POST', '/lead-sources/{id}/webhook-key', 'Replace the webhook key; the old one stops working at once')
    .input(byId)
    .errors(notFound)
    .output(z.object({ webhookKey: z.string() })),
  move: route('POST', '/lead-sources/{id}/move', 'Move all patients and leads of a source to another; an API key also needs contacts:write')
    .input(byId.extend({ to: z.uuid('Choose a source') }))
    .errors({
      ...notFound,
      INVALID_TARGET: { status: 409, message: 'Choose another source that isn’t retired' },
      MOVING: { status: 409, message: 'Patients are being moved to this source. Wait until the move has finished, then try again' },
      ALREADY_MOVING: {
        status: 409,
        message: 'Patients are already being moved from this source. Wait until the move has finished, then try again',
      },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int(), leads: z.number().int() })),
  delete: route('DELETE', '/lead-sources/{id}', 'Delete a lead source without patients or leads')
    .input(byId)
    .errors({
      ...notFound,
      IN_USE: {
        status: 409,
        message: 'Patients or leads have this source. Move them to another source, or retire it.',
        data: z.object({ count: z.number().int() }),
      },
    }),
}
