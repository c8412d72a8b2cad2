/**
 * Calls a user-supplied URL. It must be a public https address at the moment of connecting: the connection itself checks the resolved
 * addresses, so a later DNS change has no effect. Redirects are not followed, and time and response size are limited.
 */
import dns, { type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { isLoopback, isPublic, literalOf } from './addresses.ts'

/** `allowsLoopback`: also allows this machine, and plain HTTP to it, for the demo and tests. */
type Options = { allowsLoopback: boolean; timeoutMs?: number }

export type PostFailure = 'address' | 'status' | 'timeout' | 'network'
export type PostResult = { ok: true; status: number } | { ok: false; kind: PostFailure; status: number | null }

const defaultTimeoutMs = 10_000
/** A longer response to a post is cut off: only its status matters. */
const maxResponseBytes = 64 * 1024

class RefusedAddress extends Error {}

/** Why a URL cannot be used, regardless of what it resolves to; null if it may be tried. */
export function problemOfUrl(text: string, { allowsLoopback }: Pick<Options, 'allowsLoopback'>): string | null {
  const url = URL.parse(text)
  // URL parsing drops or converts these characters, so the called address would differ from the one shown.
  if (!url || /[\s\p{Cc}\\]/u.test(text)) return 'This isn’t a web address'
  if (url.username || url.password) return 'Remove the user name and password'
  if (url.hash) return 'Remove the # and what follows it'
  const literal = literalOf(url)
  const isThisMachine = literal === null ? url.hostname === 'localhost' : isLoopback(literal)
  if (isThisMachine && allowsLoopback) return /^https?:$/.test(url.protocol) ? null : 'Start with https://'
  if (url.protocol !== 'https:') return 'Start with https://'
  if (isThisMachine || (literal !== null && !isPublic(literal))) return 'This address is not on the public internet'
  return null
}

/** A lookup for `net.connect`: all addresses of a name, or an error if any of them is not allowed. */
const guardedLookup =
  (mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [] as LookupAddress[])
      if (found.length === 0 || !found.every(({ address }) => mayConnect(address)))
        return callback(new RefusedAddress('This address isn’t allowed'), [] as LookupAddress[])
      if (options.all) callback(null, found)
      else callback(null, found[0]!.address, found[0]!.family)
    })

type Call = { method: 'GET' | 'POST'; headers: Record<string, string>; body: string; maxBytes: number }
type Answer = { ok: true; status: number; body: Buffer; isTruncated: boolean } | (PostResult & { ok: false })

/** Never throws. Resolves with the response, cut off after `maxBytes`, or with the failure. */
function call(
  address: string,
  { method, headers, body, maxBytes }: Call,
  { allowsLoopback, timeoutMs = defaultTimeoutMs }: Options,
): Promise<Answer> {
  if (problemOfUrl(address, { allowsLoopback })) return Promise.resolve({ ok: false, kind: 'address', status: null })
  const url = new URL(address)
  const mayConnect = (ip: string) => isPublic(ip) || (allowsLoopback && isLoopback(ip))
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const fail = (kind: PostFailure, status: number | null = null) => resolve({ ok: false, kind, status })

  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: { ...headers, ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }) },
    lookup: guardedLookup(mayConnect),
    agent: false,
    maxHeaderSize: 16 * 1024,
  })
  const timer = setTimeout(() => {
    fail('timeout')
    request.destroy()
  }, timeoutMs)
  request.on('error', (error) => fail(error instanceof RefusedAddress ? 'address' : 'network'))
  request.on('response', (response) => {
    const status = response.statusCode ?? 0
    const chunks: Buffer[] = []
    let size = 0
    const finish = (isTruncated: boolean) =>
      status >= 200 && status < 300 ? resolve({ ok: true, status, body: Buffer.concat(chunks), isTruncated }) : fail('status', status)
    response.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= maxBytes) return void chunks.push(chunk)
      finish(true)
      request.destroy()
    })
    response.on('error', () => fail('network', status))
    response.on('end', () => finish(false))
  })
  request.end(body)
  return promise.finally(() => clearTimeout(timer))
}

/** Never throws. Resolves with the response's status, or with the failure. */
export async function post(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  options: Options,
): Promise<PostResult> {
  const answer = await call(address, { method: 'POST', headers, body, maxBytes: maxResponseBytes }, options)
  return answer.ok ? { ok: true, status: answer.status } : answer
}

export type GetResult = { ok: true; body: Buffer } | { ok: false; kind: PostFailure | 'size' }

/** Reads what is at an address, at most `maxBytes`. Never throws: `size` if there is more. */
export async function get(
  address: string,
  { accept, maxBytes }: { accept: string; maxBytes: number },
  options: Options,
): Promise<GetResult> {
  const answer = await call(address, { method: 'GET', headers: { accept, 'user-agent': 'Refyne' }, body: '', maxBytes }, options)
  if (!answer.ok) return { ok: false, kind: answer.kind }
  return answer.isTruncated ? { ok: false, kind: 'size' } : { ok: true, body: answer.body }
}
