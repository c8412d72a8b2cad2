import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace, numberedPages } from '../../shared/page-lists.ts'
import { optionalText, personName, requiredLine } from '../../shared/text-shapes.ts'
import { contactMessages } from '../contacts/contract.ts'
import { fieldMap } from '../lead-sources/contract.ts'

export const leadEntryStatuses = ['processing', 'completed', 'error'] as const
export type LeadEntryStatus = (typeof leadEntryStatuses)[number]

/** The whole body of a lead, at most (64 KiB). */
export const leadBodyLimit = 64 * 1024
/** Within this many minutes the same body is the same lead. */
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
  /** Who it is from, as far as the form said so. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** When staff discarded it as no lead. */
  dismissedAt: z.date().nullable(),
})

const text = z.string().nullable()
const receivedField = z.object({ name: z.string(), value: z.string() })

/** A lead that staff have to complete: what the form sent, and what of it was understood. */
const queuedLead = leadEntry.pick({ id: true, sourceId: true, receivedAt: true, errorMessage: true, dismissedAt: true }).extend({
  sourceName: z.string(),
  lead: z.object({ firstName: text, lastName: text, email: text, phone: text, procedure: text }),
  received: z.array(receivedField),
})

/** The names that a patient who is made of a lead can have. */
export const leadNames = z.object({ firstName: personName(100, 'First name'), lastName: personName(100, 'Last name') })

/** The lead as staff complete it. */
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
const notWaiting = { NOT_WAITING: { status: 409, message: 'Someone has completed or discarded this lead already' } } as const

const entryPages = cursorPages(instantPlace, { limit: 100, max: 100 })
const queuePages = numberedPages({ limit: 25, max: 50 })

/** The intake itself is POST /api/leads/{webhookKey}, not a typed call: it takes what form tools send (see intake.ts). */
export const leadsContract = {
  entries: oc
    .route({ method: 'GET', path: '/lead-entries', tags: ['Leads'], summary: 'Lead entries and what became of them, newest first' })
    .input(z.strictObject({ status: z.enum(leadEntryStatuses).optional(), sourceId: z.uuid().optional(), ...entryPages.input }))
    .output(entryPages.output(leadEntry)),
  retry: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/retry', tags: ['Leads'], summary: 'Process a lead that failed once more' })
    .input(byId)
    .errors({
      ...notFound,
      NOT_FAILED: { status: 409, message: 'This lead has not failed, or is being processed again already' },
    })
    .output(leadEntry),
  queue: oc
    .route({
      method: 'GET',
      path: '/lead-entries/queue',
      tags: ['Leads'],
      summary: 'Leads that staff have to complete, by source, newest first',
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
      summary: 'How many leads wait to be completed, by source',
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
      summary: 'Complete a lead by hand; it becomes a patient',
    })
    .input(completedLead.extend(byId.shape))
    .errors({ ...notFound, ...notWaiting })
    .output(z.object({ contactId: z.uuid(), isNew: z.boolean() })),
  discard: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/discard', tags: ['Leads'], summary: 'Set a lead aside that is none' })
    .input(byId)
    .errors({ ...notFound, ...notWaiting })
    .output(leadEntry),
  restore: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/restore', tags: ['Leads'], summary: 'Put a discarded lead back into the queue' })
    .input(byId)
    .errors({
      ...notFound,
      NOT_DISCARDED: { status: 409, message: 'This lead is not discarded, or what it said has been deleted since' },
    })
    .output(leadEntry),
  fields: oc
    .route({
      method: 'GET',
      path: '/lead-sources/{sourceId}/fields',
      tags: ['Leads'],
      summary: 'The fields that a source sends, each with an example, and which of ours they are mapped to',
    })
    .input(bySource)
    .errors(noSource)
    .output(z.object({ fieldMap, received: z.array(receivedField) })),
  mapFields: oc
    .route({
      method: 'POST',
      path: '/lead-sources/{sourceId}/fields',
      tags: ['Leads'],
      summary: 'Map the fields of a source; every lead of it that waits is processed again',
    })
    .input(bySource.extend({ fieldMap }))
    .errors({ ...noSource, ...invalidMap })
    .output(z.object({ queued: z.number().int() })),
}
