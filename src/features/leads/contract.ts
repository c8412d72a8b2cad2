import { oc } from '@orpc/contract'
import { z } from 'zod'

export const leadEntryStatuses = ['processing', 'completed', 'error'] as const
export type LeadEntryStatus = (typeof leadEntryStatuses)[number]

/** The whole body of a lead, at most (64 KiB). */
export const leadBodyLimit = 64 * 1024
/** Within this many minutes the same body is the same lead. */
export const sameBodyMinutes = 10

export const leadMessages = {
  missing: 'Missing required fields',
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
})

/** The intake itself is POST /api/leads/{webhookKey}, not a typed call: it takes what form tools send (see intake.ts). */
export const leadsContract = {
  entries: oc
    .route({ method: 'GET', path: '/lead-entries', tags: ['Leads'], summary: 'The newest lead entries and what became of them' })
    .input(z.strictObject({ status: z.enum(leadEntryStatuses).optional(), sourceId: z.uuid().optional() }))
    .output(z.array(leadEntry)),
  retry: oc
    .route({ method: 'POST', path: '/lead-entries/{id}/retry', tags: ['Leads'], summary: 'Process a lead that failed once more' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({
      NOT_FOUND: { status: 404, message: 'This lead does not exist' },
      NOT_FAILED: { status: 409, message: 'This lead has not failed, or is being processed again already' },
    })
    .output(leadEntry),
}
