import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'
import { keyScopes } from '../../kernel/access/key-rules.ts'

/** Maximum lifetime of a key, in days. */
const maxLifetimeDays = 365

const scope = z.enum(keyScopes, 'Choose one of the options')

const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** First characters of the key, to tell keys apart; the full key is shown only once. */
  hint: z.string(),
  scopes: z.array(z.string()),
  /** The account the key acts for; the key can never do more than its owner. */
  madeBy: z.string(),
  createdAt: z.date(),
  /** Null for keys created before expiry was mandatory. */
  expiresAt: z.date().nullable(),
  /** Rounded to the minute. */
  lastUsedAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
})
const tags = ['API keys']

export const apiKeysContract = {
  list: oc
    .route({ method: 'GET', path: '/api-keys', tags, summary: 'API keys, newest first, without their secrets' })
    .output(z.array(apiKey)),
  create: oc
    .route({ method: 'POST', path: '/api-keys', tags, summary: 'Create a key; it is shown once' })
    .input(
      z.strictObject({
        name: requiredLine(80, 'Name the key'),
        scopes: z.array(scope).min(1, 'Choose what the key may do').max(keyScopes.length, 'Choose each once'),
        /** Lifetime of the key. */
        days: z
          .number('Number of days is required')
          .int('Number of days is required')
          .min(1, 'At least one day')
          .max(maxLifetimeDays, 'At most a year'),
      }),
    )
    .output(z.object({ token: z.string(), key: apiKey })),
  revoke: oc
    .route({ method: 'DELETE', path: '/api-keys/{id}', tags, summary: 'Revoke a key immediately' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This key does not exist' } })
    .output(apiKey),
}
