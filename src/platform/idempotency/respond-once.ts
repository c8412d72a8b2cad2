import { createHash, type Hash } from 'node:crypto'
import type { Route } from '../../kernel/access/policy.ts'
import { keyRefusals, type KeyRefusal } from './rules.ts'
import { claimKey } from './service.ts'
import type { Scope } from '../../kernel/scope.ts'

/**
 * Executes an upload with an `Idempotency-Key` once and repeats its answer. Its payload is hashed as it arrives, so a repeat is read to
 * the end before it is answered.
 */
export async function respondOnce(
  scope: Scope,
  request: Request,
  { route, key }: { route: Route; key: string },
  answer: (scope: Scope, request: Request) => Promise<Response>,
): Promise<Response> {
  const claim = await claimKey(scope, { key, route, payloadHash: null })
  if ('refusal' in claim) return refuse(claim.refusal)
  const { search, pathname } = new URL(request.url)
  const digest = createHash('sha256').update(`${pathname}${search}\n`)
  if ('answer' in claim) {
    const isSame = (await hashOf(request.body, digest, claim.payloadHash)) === claim.payloadHash
    if (!isSame) return refuse('IDEMPOTENCY_KEY_REUSED')
    return Response.json(claim.answer.body, { status: claim.answer.status, headers: { 'idempotency-replayed': 'true' } })
  }
  const counted = { bytes: 0 }
  const body = request.body?.pipeThrough(hashing(digest, counted))
  const hashed = body ? new Request(request, { body, duplex: 'half' } as RequestInit) : request
  try {
    const response = await answer(claim.scope, hashed)
    if (response.ok)
      await claim.finish({ status: response.status, body: await response.clone().json() }, `${counted.bytes}:${digest.digest('hex')}`)
    else await claim.release(response.status < 500)
    return response
  } catch (error) {
    await claim.release(false).catch(() => {}) // released by the lease
    throw error
  }
}

const refuse = (refusal: KeyRefusal): Response => {
  const { status, message } = keyRefusals[refusal]
  // The rest of the body is unread, so the connection cannot be reused.
  const headers = { connection: 'close', ...(refusal === 'IDEMPOTENCY_KEY_IN_USE' ? { 'retry-after': '1' } : {}) }
  return Response.json({ code: refusal, message }, { status, headers })
}

const hashing = (digest: Hash, counted: { bytes: number }): TransformStream<Uint8Array, Uint8Array> =>
  new TransformStream({
    transform(chunk, controller) {
      digest.update(chunk)
      counted.bytes += chunk.byteLength
      controller.enqueue(chunk)
    },
  })

/** Hash of a body no longer than the one that `expected` was made of; null for a longer one, whose rest is not read. */
async function hashOf(body: ReadableStream<Uint8Array> | null, digest: Hash, expected: string | null): Promise<string | null> {
  const limit = Number(expected?.split(':')[0] ?? 0)
  let bytes = 0
  for await (const chunk of body ?? []) {
    digest.update(chunk)
    bytes += chunk.byteLength
    if (bytes > limit) return null
  }
  return `${bytes}:${digest.digest('hex')}`
}
