import { oc } from '@orpc/contract'
import { z } from 'zod'
import { numberedPages } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { contactSummary } from '../contacts/contract.ts'

export const duplicateReasons = ['email', 'phone', 'name'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

/** Pairs are counted up to here; beyond, the total is a lower bound. */
export const countedPairs = 1000

const pair = z.object({
  first: contactSummary,
  second: contactSummary,
  reasons: z.array(z.enum(duplicateReasons)),
  dismissedAt: z.date().nullable(),
  dismissedBy: z.uuid().nullable(),
})

const alike = z.array(z.object({ contact: contactSummary, reasons: z.array(z.enum(duplicateReasons)) }))

const typed = (max: number) => z.string().max(max).refine(isStorable, notStorable).default('')
const ofPair = z.strictObject({ firstId: z.uuid(), secondId: z.uuid() })
const tags = ['Duplicates']
const pages = numberedPages({ limit: 25, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This pair of patients does not exist' } } as const

export const duplicatesContract = {
  list: oc
    .route({ method: 'GET', path: '/duplicates', tags, summary: 'Pairs of patients who are likely one, the likeliest first' })
    .input(
      z.strictObject({
        ...pages.input,
        /** Those of whom someone has said that they are two, the latest first. */
        show: z.enum(['open', 'dismissed']).default('open'),
        /** Those that share an email or a phone, or those whose names alone are similar. */
        by: z.enum(['any', 'contact', 'name']).default('any'),
      }),
    )
    .output(pages.output(pair).extend({ totalIsExact: z.boolean() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/duplicates', tags, summary: 'Who is likely the same as a patient, at most five' })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(alike),
  similar: oc
    .route({ method: 'POST', path: '/duplicates/similar', tags, summary: 'Patients like one who is about to be added, at most five' })
    .input(z.strictObject({ firstName: typed(100), lastName: typed(100), email: typed(254), phone: typed(50) }))
    .output(alike),
  dismiss: oc
    .route({
      method: 'PUT',
      path: '/duplicates/{firstId}/{secondId}/dismissal',
      tags,
      summary: 'Not a duplicate: remembered for this pair',
    })
    .input(ofPair)
    .errors(notFound),
  restore: oc
    .route({ method: 'DELETE', path: '/duplicates/{firstId}/{secondId}/dismissal', tags, summary: 'Show the pair again' })
    .input(ofPair)
    .errors(notFound),
}
