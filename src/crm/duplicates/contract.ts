import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { numberedPages } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { contactSummary } from '../contacts/contact-contract.ts'

/** `birthDate`: with a similar name, the same known birth date. */
export const duplicateReasons = ['email', 'phone', 'name', 'birthDate'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]
/** That the birth dates are the same is read from the patients. */
export type StoredReason = Exclude<DuplicateReason, 'birthDate'>

/** Pairs are counted up to this number. Beyond it the total is a lower bound. */
export const countedPairs = 1000

const pair = z.object({
  first: contactSummary,
  second: contactSummary,
  reasons: z.array(z.enum(duplicateReasons)),
  dismissedAt: z.date().nullable(),
  dismissedBy: z.uuid().nullable(),
})

const similarPatients = z.array(z.object({ contact: contactSummary, reasons: z.array(z.enum(duplicateReasons)) }))

const textInput = (max: number) => z.string().max(max).refine(isStorable, notStorable).default('')
const byPair = z.strictObject({ firstId: z.uuid(), secondId: z.uuid() })
const tags = ['Duplicates']
const pages = numberedPages({ limit: 25, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This pair of patients does not exist' } } as const

export const duplicatesContract = {
  list: oc
    .route({ method: 'GET', path: '/duplicates', tags, summary: 'List pairs of patients who are possible duplicates, most likely first' })
    .input(
      z.strictObject({
        ...pages.input,
        /** `dismissed`: pairs marked as not duplicates, most recent first. */
        show: z.enum(['open', 'dismissed']).default('open'),
        /** `contact`: pairs that share an email, a phone, or a name and birth date. `name`: pairs with only a similar name. */
        by: z.enum(['any', 'contact', 'name']).default('any'),
      }),
    )
    .output(pages.output(pair).extend({ totalIsExact: z.boolean() })),
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/duplicates',
      tags,
      summary: 'List possible duplicates of a patient, at most five',
    })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(similarPatients),
  similar: oc
    .route({ method: 'POST', path: '/duplicates/similar', tags, summary: 'List patients similar to one about to be added, at most five' })
    .input(
      z.strictObject({
        firstName: textInput(100),
        lastName: textInput(100),
        email: textInput(254),
        phone: textInput(50),
        dateOfBirth: calendarDay.nullable().default(null),
      }),
    )
    .output(similarPatients),
  dismiss: oc
    .route({
      method: 'PUT',
      path: '/duplicates/{firstId}/{secondId}/dismissal',
      tags,
      summary: 'Mark a pair as not a duplicate',
    })
    .input(byPair)
    .errors(notFound),
  restore: oc
    .route({ method: 'DELETE', path: '/duplicates/{firstId}/{secondId}/dismissal', tags, summary: 'Return a dismissed pair to the queue' })
    .input(byPair)
    .errors(notFound),
}
