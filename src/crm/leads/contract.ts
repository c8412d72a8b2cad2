import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace, numberedPages } from '../../shared/page-lists.ts'
import { optionalText, personName, requiredLine } from '../../shared/text-shapes.ts'
import { contactMessages } from '../contacts/contact-contract.ts'
import { fieldMap } from '../lead-sources/contract.ts'

export const leadEntryStatuses = ['processing', 'completed', 'error'] as const
export type LeadEntryStatus = (typeof leadEntryStatuses)[number]

/** The maximum size of a lead's body, in bytes. */
export const leadBodyLimit = 64 * 1024
/** Within this many minutes, the same body is treated as the same lead. */
export const sameBodyMinutes = 10

export const leadMessages = {
  missing: 'Missing required fields',
  email: 'Email is not a valid address',
  failed: 'Failed to process lead',
} as const

const leadEntry = z.object({
  id: z.uuid(),
  sourceId: z.uuid(),
  status: z.enum(leadEntryStatuses),
  contactId: z.uuid().nullable(),
  receivedAt: z.date(),
  processedAt: z.date().nullable(),
  errorMessage: z.string().nullable(),
  /** The sender, as far as the form contains it. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** When staff discarded it. */
  dismissedAt: z.date().nullable(),
})

const text = z.string().nullable()
const receivedField = z.object({ name: z.string(), value: z.string() })

/** A lead that staff have to complete: the received fields and the values recognized in them. */
const queuedLead = leadEntry.pick({ id: true, sourceId: true, receivedAt: true, errorMessage: true, dismissedAt: true }).extend({
  sourceName: z.string(),
  lead: z.object({ firstName: text, lastName: text, email: text, phone: text, procedure: text }),
  received: z.array(receivedField),
})

/** The names that a patient created from a lead can have. */
export const leadNames = z.object({ firstName: personName(100, 'First name'), lastName: personName(100, 'Last name') })

/** The lead as completed by staff. */
const completedLead = z.strictObject({
  ...leadNames.shape,
  email: requiredLine(254, contactMessages.email).pipe(z.email(contactMessages.email)),
  phone: optionalText(50).optional(),
  procedure: optionalText(200).optional(),
})

const byId = z.strictObject({ id: z.uuid() })
const bySource = z.strictObject({ sourceId: z.uuid() })
const notFound = { NOT_FOUND: { status: 404, message: 'This lead does not exist' } } as const
const invalidMap = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const noSource = { NOT_FOUND: { status: 404, message: 'This lead source does not exist' } } as const
const notWaiting = { NOT_WAITING: { status: 409, message: 'This lead has already been completed or discarded' } } as const

const entryPages = cursorPages(instantPlace, { limit: 100, max: 100 })
const queuePages = numberedPages({ limit: 25, max: 50 })

/** The intake, POST /api/leads/{webhookKey}, is not part of the contract: it accepts whatever form tools send (see intake.ts). */
export const leadsContract = {
  entries: oc
    .route({ method: 'GET', path: '/lead-entries', tags: ['Leads'], summary: 'List lead entries with their status, newest first' })
    .input(z.strictObject({ status: z.enum(leadEntryStatuses).optional(), sourceId: z.uuid().optional(), ...entryPages.input }))
    .output(entryPages.output(leadEntry)),
  retry: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/retry', tags: ['Leads'], summary: 'Retry a failed lead' })
    .input(byId)
    .errors({
      ...notFound,
      NOT_FAILED: { status: 409, message: 'This lead has not failed, or is already being retried' },
    })
    .output(leadEntry),
  queue: oc
    .route({
      method: 'GET',
      path: '/lead-entries/queue',
      tags: ['Leads'],
      summary: 'List leads that staff have to complete, by source, newest first',
    })
    .input(
      z.strictObject({
        show: z.enum(['waiting', 'discarded']).default('waiting'),
        sourceId: z.uuid().optional(),
        ...queuePages.input,
      }),
    )
    .output(queuePages.output(queuedLead)),
  queueCounts: oc
    .route({
      method: 'GET',
      path: '/lead-entries/queue/counts',
      tags: ['Leads'],
      summary: 'Count the leads to complete, by source',
    })
    .output(
      z.object({
        waiting: z.number().int(),
        sources: z.array(z.object({ id: z.uuid(), name: z.string(), waiting: z.number().int(), processing: z.number().int() })),
      }),
    ),
  complete: oc
    .route({
      method: 'POST',
      path: '/lead-entries/{id}/complete',
      tags: ['Leads'],
      summary: 'Complete a lead, which becomes a patient',
    })
    .input(completedLead.extend(byId.shape))
    .errors({ ...notFound, ...notWaiting })
    .output(z.object({ contactId: z.uuid(), isNew: z.boolean() })),
  discard: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/discard', tags: ['Leads'], summary: 'Discard a lead' })
    .input(byId)
    .errors({ ...notFound, ...notWaiting })
    .output(leadEntry),
  restore: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/restore', tags: ['Leads'], summary: 'Restore a discarded lead to the queue' })
    .input(byId)
    .errors({
      ...notFound,
      NOT_DISCARDED: { status: 409, message: 'This lead is not discarded, or its data has been deleted since' },
    })
    .output(leadEntry),
  fields: oc
    .route({
      method: 'GET',
      path: '/lead-sources/{sourceId}/fields',
      tags: ['Leads'],
      summary: 'List the fields that a source sends, each with an example, and the field mapping',
    })
    .input(bySource)
    .errors(noSource)
    .output(z.object({ fieldMap, received: z.array(receivedField) })),
  mapFields: oc
    .route({
      method: 'POST',
      path: '/lead-sources/{sourceId}/fields',
      tags: ['Leads'],
      summary: 'Map the fields of a source and process its waiting leads again',
    })
    .input(bySource.extend({ fieldMap }))
    .errors({ ...noSource, ...invalidMap })
    .output(z.object({ queued: z.number().int() })),
}
