import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'
import { keyScopes } from '../../kernel/access/key-rules.ts'

/** The longest that a key may be made for, in days. */
const maxLifetimeDays = 365

const scope = z.enum(keyScopes, 'Choose what there is')

const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Its first characters, by which it is told from others; the key itself is shown once. */
  hint: z.string(),
  scopes: z.array(z.string()),
  /** Whose account it acts for: it may never do more than they may. */
  madeBy: z.string(),
  createdAt: z.date(),
  /** Null: made before every key had an end. */
  expiresAt: z.date().nullable(),
  /** To the minute. */
  lastUsedAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
})
const tags = ['API keys']

export const apiKeysContract = {
  list: oc
    .route({ method: 'GET', path: '/api-keys', tags, summary: 'The keys, newest first; never the keys themselves' })
    .output(z.array(apiKey)),
  create: oc
    .route({ method: 'POST', path: '/api-keys', tags, summary: 'Create a key, which is shown once' })
    .input(
      z.strictObject({
        name: requiredLine(80, 'Name the key'),
        scopes: z.array(scope).min(1, 'Choose what the key may do').max(keyScopes.length, 'Choose each once'),
        /** How long it works. */
        days: z
          .number('Say for how many days')
          .int('Say for how many days')
          .min(1, 'At least one day')
          .max(maxLifetimeDays, 'At most a year'),
      }),
    )
    .output(z.object({ token: z.string(), key: apiKey })),
  revoke: oc
    .route({ method: 'DELETE', path: '/api-keys/{id}', tags, summary: 'End a key at once' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This key does not exist' } })
    .output(apiKey),
}
