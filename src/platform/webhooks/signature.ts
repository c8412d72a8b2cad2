import { createHmac, randomBytes } from 'node:crypto'

/** In the format of the Standard Webhooks specification, so that its libraries verify our messages. */
const secretPrefix = 'whsec_'

export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

/** Headers with message id, time and signature: HMAC-SHA256 over id, time and body. */
export function signedHeaders(secret: string, { id, at, body }: { id: string; at: Date; body: string }): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
