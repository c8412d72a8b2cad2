import { oc } from '@orpc/contract'
import { z } from 'zod'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'

const leadSource = z.object({
  id: z.uuid(),
  name: z.string(),
  hasWebhookKey: z.boolean(),
  thankYouUrl: z.string().nullable(),
  /** Whether whoever is new by it is sent the template 'welcome_email', once per address. */
  sendsWelcome: z.boolean(),
})

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
  get: route('GET', '/lead-sources/{id}', 'A lead source: where its leads are sent, and whether any have arrived')
    .input(byId)
    .errors(notFound)
    .output(leadSource.extend({ intakeAddress: z.string(), hasLeads: z.boolean() })),
  create: route('POST', '/lead-sources', 'Add a lead source; its webhook key is shown once')
    .input(z.strictObject({ name, thankYouUrl: thankYouUrl.optional(), sendsWelcome: sendsWelcome.optional() }))
    .errors(taken)
    .output(leadSource.extend({ webhookKey: z.string() })),
  update: route('PATCH', '/lead-sources/{id}', 'Change a lead source')
    .input(
      byId
        .extend({ name: name.optional(), thankYouUrl: thankYouUrl.optional(), sendsWelcome: sendsWelcome.optional() })
        .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), 'Say what to change'),
    )
    .errors({ ...taken, ...notFound })
    .output(leadSource),
  rotateKey: route('POST', '/lead-sources/{id}/webhook-key', 'Replace the webhook key; the old one stops at once')
    .input(byId)
    .errors(notFound)
    .output(z.object({ webhookKey: z.string() })),
  delete: route('DELETE', '/lead-sources/{id}', 'Delete a lead source that no lead has used')
    .input(byId)
    .errors({ ...notFound, IN_USE: { status: 409, message: 'Leads have arrived from this source, so it has to stay' } }),
}
