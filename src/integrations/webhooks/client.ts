/**
 * Posts to a user-supplied URL. It must be a public https address at the moment of connecting: the connection itself checks the resolved
 * addresses, so a later DNS change has no effect. Redirects are not followed, time and response size are limited, and the response is
 * discarded.
 */
import dns, { type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { isLoopback, isPublic, literalOf } from './addresses.ts'

/** Allows this machine, by plain http too: for the demo and the tests. */
type Options = { allowsLoopback: boolean; timeoutMs?: number }

export type PostFailure = 'address' | 'status' | 'timeout' | 'network'
export type PostResult = { ok: true; status: number } | { ok: false; kind: PostFailure; status: number | null }

const timeoutUnlessTold = 10_000
/** In bytes; what is longer is not waited for: its status says all. */
const largestAnswer = 64 * 1024

class RefusedAddress extends Error {}

/** Why a URL cannot be used, whatever it resolves to; null when it may be tried. */
export function problemOfUrl(text: string, { allowsLoopback }: Pick<Options, 'allowsLoopback'>): string | null {
  const url = URL.parse(text)
  // Letters that are dropped or turned while an address is read: what was called would not be what is shown.
  if (!url || /[\s\p{Cc}\\]/u.test(text)) return 'This isn’t a web address'
  if (url.username || url.password) return 'Remove the user name and password'
  if (url.hash) return 'Remove the # and what follows it'
  const literal = literalOf(url)
  const isHere = literal === null ? url.hostname === 'localhost' : isLoopback(literal)
  if (isHere && allowsLoopback) return /^https?:$/.test(url.protocol) ? null : 'Start with https://'
  if (url.protocol !== 'https:') return 'Start with https://'
  if (isHere || (literal !== null && !isPublic(literal))) return 'This address is not on the public internet'
  return null
}

/** As `net.connect` wants it: all addresses of a name, or none when a single one of them is refused. */
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

/** Never throws. Done when the answer has come, or is no longer waited for. */
export function post(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { allowsLoopback, timeoutMs = timeoutUnlessTold }: Options,
): Promise<PostResult> {
  if (problemOfUrl(address, { allowsLoopback })) return Promise.resolve({ ok: false, kind: 'address', status: null })
  const url = new URL(address)
  const mayConnect = (ip: string) => isPublic(ip) || (allowsLoopback && isLoopback(ip))
  const { promise, resolve } = Promise.withResolvers<PostResult>()
  const fail = (kind: PostFailure, status: number | null = null) => resolve({ ok: false, kind, status })

  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: guardedLookup(mayConnect),
    agent: false,
    maxHeaderSize: 16 * 1024,
  })
  const late = setTimeout(() => {
    fail('timeout')
    request.destroy()
  }, timeoutMs)
  request.on('error', (error) => fail(error instanceof RefusedAddress ? 'address' : 'network'))
  request.on('response', (response) => {
    const status = response.statusCode ?? 0
    const answered = () => (status >= 200 && status < 300 ? resolve({ ok: true, status }) : fail('status', status))
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= largestAnswer) return
      answered()
      request.destroy()
    })
    response.on('error', () => fail('network', status))
    response.on('end', answered)
  })
  request.end(body)
  return promise.finally(() => clearTimeout(late))
}
