import { rateLimitKey } from './requests.ts'
import type { Scope } from '../scope.ts'

/** Shared helpers for webhooks from other systems. */

export const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message }, { status, headers })

/** Limits calls of a webhook per network address. Null if this call is allowed. */
export const limitCalls = async ({ attempts, origin }: Scope, hook: string): Promise<Response | null> =>
  (await attempts.consume('hookAddress', `${hook} ${rateLimitKey(origin.address)}`))
    ? null
    : refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests. Try again in a minute.')

/** The request body. Null if it is larger than `maxBytes`; the rest is then not read. */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Parses JSON; undefined if the body is not JSON. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
