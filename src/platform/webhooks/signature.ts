import { createHmac, randomBytes } from 'node:crypto'

/** As the Standard Webhooks specification has them, so that its libraries verify what we send. */
const secretPrefix = 'whsec_'

export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

/** The headers that say which message it is, when it was sent, and that it is ours: HMAC-SHA256 over all three parts. */
export function signedHeaders(secret: string, { id, at, body }: { id: string; at: Date; body: string }): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
