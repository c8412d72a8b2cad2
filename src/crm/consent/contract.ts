import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { consentBases, consentSources, consentWays, withdrawalSources } from './rules.ts'

/** The newest so many entries are shown. */
export const maxEntries = 100

const entry = z.object({
  id: z.uuid(),
  basis: z.enum(consentBases),
  source: z.enum(consentSources),
  wording: z.string().nullable(),
  givenAt: z.date(),
  givenBy: z.uuid().nullable(),
  expiresAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
  withdrawnBy: z.uuid().nullable(),
  withdrawalSource: z.enum(withdrawalSources).nullable(),
})

const state = z.object({
  /** The basis that holds now: of several the one that lasts longest. */
  live: entry.nullable(),
  /** Newest first. */
  entries: z.array(entry),
  /** Those of the patient's addresses that were unsubscribed, or complained: no commercial email goes there, whatever the consent says. */
  unsubscribed: z.array(z.string()),
})
export type ConsentState = z.output<typeof state>

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Consent']
const noContact = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const

export const consentContract = {
  get: oc
    .route({ method: 'GET', path: '/contacts/{id}/consent', tags, summary: 'Whether a patient may be sent commercial email, and why' })
    .input(byId)
    .errors(noContact)
    .output(state),
  record: oc
    .route({ method: 'POST', path: '/contacts/{id}/consent', tags, summary: 'Write down the express consent of a patient' })
    .input(
      byId.extend({
        wording: requiredText(2_000, 'Write what the patient agreed to'),
        way: z.enum(consentWays, 'Say how it was given'),
      }),
    )
    .errors(noContact)
    .output(state),
  withdraw: oc
    .route({
      method: 'POST',
      path: '/contacts/{id}/consent/withdrawal',
      tags,
      summary: 'End whatever a patient may be sent commercial email on',
    })
    .input(byId)
    .errors(noContact)
    .output(state),
  mailing: oc
    .route({ method: 'GET', path: '/unsubscribe/{token}', tags, summary: 'Whose address the unsubscribe link of an email is about' })
    .input(z.strictObject({ token: z.string().max(2_000, 'This is no token').refine(isStorable, notStorable) }))
    .errors({ NOT_FOUND: { status: 404, message: 'This link does not work' } })
    .output(z.object({ address: z.string(), isUnsubscribed: z.boolean() })),
}
