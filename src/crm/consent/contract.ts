import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { consentBases, consentChannels, consentSources, consentWays, withdrawalSources } from './rules.ts'

/** How many entries are returned, newest first. */
export const maxEntries = 100

const entry = z.object({
  id: z.uuid(),
  channel: z.enum(consentChannels),
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
  /** The current consent to email. If several entries are valid, the one that lasts longest. */
  live: entry.nullable(),
  text: z.object({
    /** The current consent to text messages. */
    live: entry.nullable(),
    /** The patient's phones that answered STOP. They get no text message, whatever the consent. */
    stopped: z.array(z.string()),
    /** The phones that answered STOP, those included that allow text messages again. They get no commercial ones, whatever the consent. */
    unsubscribed: z.array(z.string()),
  }),
  /** Of all channels, newest first. */
  entries: z.array(entry),
  /** The patient's addresses that unsubscribed or reported spam. They get no commercial email, whatever the consent. */
  unsubscribed: z.array(z.string()),
})
export type ConsentState = z.output<typeof state>

const byId = z.strictObject({ id: z.uuid() })
const channels = z.array(z.enum(consentChannels)).min(1, 'Choose email, text or both').max(consentChannels.length)
const tags = ['Consent']
const noContact = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const

export const consentContract = {
  get: oc
    .route({
      method: 'GET',
      path: '/contacts/{id}/consent',
      tags,
      summary: 'Get whether a patient may be sent commercial email and text messages, and on what basis',
    })
    .input(byId)
    .errors(noContact)
    .output(state),
  record: oc
    .route({ method: 'POST', path: '/contacts/{id}/consent', tags, summary: 'Record a patient’s express consent' })
    .input(
      byId.extend({
        wording: requiredText(2_000, 'Enter what the patient agreed to'),
        way: z.enum(consentWays, 'Choose how consent was given'),
        channels: channels.default(['email']),
      }),
    )
    .errors(noContact)
    .output(state),
  withdraw: oc
    .route({
      method: 'POST',
      path: '/contacts/{id}/consent/withdrawal',
      tags,
      summary: 'Withdraw a patient’s consent to commercial messages on every basis, for one channel or all',
    })
    .input(byId.extend({ channels: channels.default([...consentChannels]) }))
    .errors(noContact)
    .output(state),
  mailing: oc
    .route({ method: 'GET', path: '/unsubscribe/{token}', tags, summary: 'Get the address of an unsubscribe link' })
    .input(z.strictObject({ token: z.string().max(2_000, 'This token is too long').refine(isStorable, notStorable) }))
    .errors({ NOT_FOUND: { status: 404, message: 'This link does not work' } })
    .output(z.object({ address: z.string(), isUnsubscribed: z.boolean() })),
}
