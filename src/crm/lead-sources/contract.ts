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
  /** Whether anyone who is new by it is sent the template 'welcome_email', once per address. */
  sendsWelcome: z.boolean(),
  /** A retired source is no longer offered; the patients and forms that have it keep it. */
  isActive: z.boolean(),
})

const receivedName = z
  .string()
  .min(1, 'Choose a received field')
  .max(maxFieldName, `Use at most ${maxFieldName} characters`)
  .refine(isStorable, notStorable)
  .optional()
/** Which of a source's fields hold which of ours. */
export const fieldMap: z.ZodType<FieldMap, FieldMap> = z.strictObject(
  Object.fromEntries(mappableFields.map((field) => [field, receivedName])) as Record<keyof FieldMap, typeof receivedName>,
)
const name = requiredLine(100, 'Name is required')
const thankYouUrl = optionalText(500).refine(
  (url) => url === null || /^https?:\/\/[^\s]+$/i.test(url),
  'Enter an address that starts with http:// or https://',
)
const sendsWelcome = z.boolean('Say yes or no')
const byId = z.strictObject({ id: z.uuid() })
const taken = { NAME_TAKEN: { status: 409, message: 'A lead source with this name exists already' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This lead source does not exist' } } as const
const route = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: '/lead-sources' | `/lead-sources/${string}`, summary: string) =>
  oc.route({ method, path, summary, tags: ['Lead sources'] })

export const leadSourcesContract = {
  list: route('GET', '/lead-sources', 'Lead sources by name').output(z.array(leadSource)),
  get: route('GET', '/lead-sources/{id}', 'A lead source: where its leads are sent, and how many patients and leads have it')
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
        .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), 'Say what to change'),
    )
    .errors({ ...taken, ...notFound })
    .output(leadSource),
  rotateKey: route('POST', '/lead-sources/{id}/webhook-key', 'Replace the webhook key; the old one stops at once')
    .input(byId)
    .errors(notFound)
    .output(z.object({ webhookKey: z.string() })),
  move: route('POST', '/lead-sources/{id}/move', 'Move everyone who has a lead source to another; an API key also needs contacts:write')
    .input(byId.extend({ to: z.uuid('Choose a source') }))
    .errors({
      ...notFound,
      NOT_INTO: { status: 409, message: 'Choose another source that is not retired' },
      MOVING: { status: 409, message: 'Patients are being moved to this source. Wait until they are, and try again' },
      ALREADY_MOVING: { status: 409, message: 'Patients are being moved from this source already. Wait until they are, and try again' },
    })
    .output(z.object({ bulkChangeId: z.uuid(), total: z.number().int(), leads: z.number().int() })),
  delete: route('DELETE', '/lead-sources/{id}', 'Delete a lead source that no patient and no lead has')
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
