import { countedAs } from './requests.ts'
import type { Scope } from '../scope.ts'

/** What other systems post to us has these in common, whoever they are and however they show themselves. */

export const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message }, { status, headers })

/** Of each address, so many calls of one hook a minute. Null: this one may go on. */
export const limitCalls = async ({ attempts, origin }: Scope, hook: string): Promise<Response | null> =>
  (await attempts.consume('hookAddress', `${hook} ${countedAs(origin.address)}`))
    ? null
    : refuse(429, 'TOO_MANY_REQUESTS', 'Too many calls at once. Please send this one again in a minute.')

/** The whole body. Null: it is larger than so many bytes, and the rest of it is not read. */
export async function readBody(request: Request, largest: number): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > largest) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > largest) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Undefined: it is no JSON. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
