/** A time-stamp authority (RFC 3161 over HTTP): it signs that it saw a digest, and when. It learns nothing about what the digest is of. */
import { randomBytes } from 'node:crypto'
import { digestAlgorithm } from '../../shared/cms.ts'
import { bigInteger, type Bytes, encode, integer, octets, readDer, sequence, tags } from '../../shared/der.ts'
import { observeCall } from '../calls.ts'
import { type Timestamp, TokenError, tokenIn } from './token.ts'

/** `away`: no response, or an outage. `refused`: it does not serve this request. `unreadable`: its response is not a valid time-stamp. */
export type TimestampFailure = { ok: false; kind: 'away' | 'refused' | 'unreadable' }
export type TimestampResult = { ok: true; token: Bytes; timestamp: Timestamp } | TimestampFailure

export type Authority = { url: string; timeoutMs: number }

/** A token with a few certificates has some 6 KB. */
const maxResponseBytes = 64 * 1024

/** Asks for a time-stamp of a SHA-256 digest. The token is verified, and in the form that is stored. Never throws. */
export const requestTimestamp = (authority: Authority, sha256: Uint8Array): Promise<TimestampResult> =>
  observeCall({ vendor: 'timestamp-authority', outcomeOf: (result) => (result.ok ? 'ok' : result.kind) }, () => request(authority, sha256))

async function request({ url, timeoutMs }: Authority, sha256: Uint8Array): Promise<TimestampResult> {
  // Positive, as some authorities return it without its sign.
  const nonce = bigInteger(randomBytes(8))
  const query = sequence(integer(1), sequence(digestAlgorithm('sha256'), octets(sha256)), nonce, encode(tags.boolean, Uint8Array.of(0xff)))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: query,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { ok: false, kind: response.status >= 500 || response.status === 429 ? 'away' : 'refused' }
    }
    const answer = await readAtMost(response, maxResponseBytes)
    return answer ? { ok: true, ...tokenIn(answer, sha256, readDer(nonce).content) } : { ok: false, kind: 'unreadable' }
  } catch (error) {
    return { ok: false, kind: error instanceof TokenError ? 'unreadable' : 'away' }
  }
}

/** The bytes of a response; null if there are more. */
async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
