import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { languages } from '../../shared/translations.ts'
import { portalMessages } from '../rules.ts'
import { maxTabletItems, pairingCodeLength, tabletEndings, tabletItemKinds } from './rules.ts'

const item = z.strictObject({ kind: z.enum(tabletItemKinds, 'Choose what the patient does'), id: z.uuid('Choose what the patient does') })
const namedItem = z.object({
  ...item.shape,
  title: z.object({ en: z.string(), fr: z.string() }),
  /** 'closed': it can no longer be done. */
  state: z.enum(['open', 'done', 'closed']),
})

const session = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  items: z.array(namedItem),
  openedBy: z.uuid(),
  openedAt: z.date(),
  codeExpiresAt: z.date(),
  pairedAt: z.date().nullable(),
  lastSeenAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  endedBy: z.enum(tabletEndings).nullable(),
})
export type TabletSession = z.output<typeof session>

const sessionToken = z.string().min(1).max(100).refine(isStorable, notStorable)
const sessionOver = { SESSION_OVER: { status: 401, message: portalMessages.sessionOver } } as const
const noSession = { NOT_FOUND: { status: 404, message: 'This tablet is not in use' } } as const
const tags = ['Tablet in the practice']

export const tabletContract = {
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/tablet',
      tags,
      summary: 'Get what a patient can do on a tablet, and the latest tablet given',
    })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ items: z.array(namedItem), session: session.nullable() })),
  open: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/tablet',
      tags,
      summary: 'Give a patient a tablet: returns the code to enter on it',
    })
    .input(
      z.strictObject({
        contactId: z.uuid(),
        items: z.array(item).min(1, 'Choose what the patient does').max(maxTabletItems, `Choose at most ${maxTabletItems}`),
      }),
    )
    .errors({
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(session.extend({ /** Shown once. */ code: z.string() })),
  end: oc
    .route({ method: 'POST', path: '/tablet-sessions/{id}/end', tags, summary: 'End the session of a tablet' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(noSession)
    .output(session),
  pair: oc
    .route({
      method: 'POST',
      path: '/functions/tablet-pair',
      tags,
      summary: 'Exchange the code for a session limited to one patient and what was chosen',
    })
    .input(
      z.strictObject({
        code: z
          .string()
          .trim()
          .regex(new RegExp(`^\\d{${pairingCodeLength}}$`), portalMessages.badCode)
          .meta({ examples: ['48210357'] }),
      }),
    )
    .errors({
      TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait 5 minutes and try again.' },
      INVALID_CODE: { status: 401, message: portalMessages.badCode },
      SIGNED_IN: { status: 409, message: 'Someone is signed in in this browser. Sign out first.' },
    })
    .output(
      z.object({
        sessionToken: z.string(),
        contact: z.object({ id: z.uuid(), first_name: z.string() }),
        language: z.enum(languages),
        items: z.array(namedItem),
        /** The person who gave the tablet, who witnesses what is signed on it. */
        openedByName: z.string(),
      }),
    ),
  fetch: oc
    .route({ method: 'POST', path: '/functions/tablet-fetch', tags, summary: 'List what the patient does on this tablet' })
    .input(z.strictObject({ sessionToken }))
    .errors(sessionOver)
    .output(z.object({ items: z.array(namedItem) })),
}
