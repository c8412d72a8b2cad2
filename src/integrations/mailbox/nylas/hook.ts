/** Nylas webhooks: verifies signatures, and parses relevant notifications. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** @param signature the header X-Nylas-Signature. @param bytes the body as it came. */
export function isNylas(secret: string, signature: string | null | undefined, bytes: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const given = /^[\da-f]{64}$/i.test(signature ?? '') ? Buffer.from(signature ?? '', 'hex') : Buffer.alloc(0)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export type Notification =
  | { type: 'message'; id: string; grantId: string; messageId: string; threadId: string | undefined }
  /** `at`: the end of the second that Nylas reports. */
  | { type: 'expired'; id: string; grantId: string; at: Date | null }
  | { type: 'other'; id: string }

/** The same notification may arrive more than once, with the same id. */
const id = z.string().min(1).max(1_000)
/** `time`: in seconds since 1970; it stays the same however often a notification comes. */
const event = z.object({ id, type: z.string(), time: z.int().min(0).max(8_000_000_000_000).nullish().catch(null), data: z.unknown() })

const message = z.object({ object: z.object({ id, grant_id: id, thread_id: z.string().nullish() }) })
const expiry = z.object({ object: z.object({ grant_id: id }) })

/** A message of more than a megabyte comes without its words, a grant's own choice of fields likewise under a name of its own. */
const ofMessages = /^message\.(created|updated)(\.\w+)?$/

/** A CloudEvent. */
export const notification = event.transform(({ id, type, time, data }, context): Notification => {
  if (ofMessages.test(type)) {
    const read = message.safeParse(data)
    if (!read.success) return refuse(context, read.error)
    const { grant_id: grantId, id: messageId, thread_id } = read.data.object
    return { type: 'message', id, grantId, messageId, threadId: thread_id || undefined }
  }
  if (type === 'grant.expired') {
    const read = expiry.safeParse(data)
    if (!read.success) return refuse(context, read.error)
    return { type: 'expired', id, grantId: read.data.object.grant_id, at: time == null ? null : new Date(time * 1000 + 999) }
  }
  return { type: 'other', id }
})

function refuse(context: z.core.$RefinementCtx, error: z.ZodError): never {
  for (const { message, path } of error.issues) context.issues.push({ code: 'custom', message, path: ['data', ...path], input: undefined })
  return z.NEVER
}
