import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'

/** What is looked at of a request before anything is done with it. */

export const foreignOrigin = { code: 'FOREIGN_ORIGIN', message: 'This request came from another site' }
/** A file is made, or opened, while it is read, and the answer to HEAD is read by no one. */
export const getAlone = { code: 'METHOD_NOT_SUPPORTED', message: 'Use GET' }

/** The peer's address; behind a trusted proxy, the one that the proxy itself saw. */
export function clientAddress(bindings: HttpBindings, headers: Headers, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || bindings.incoming.socket.remoteAddress || 'unknown'
}

/**
 * By what an address is counted where attempts are limited. Anyone who has IPv6 at all has the 2^64 addresses of a network to choose from, so that
 * network is counted; IPv4 is counted by itself, however it is written. What happened is told with the whole address.
 */
export function countedAs(address: string | null): string {
  if (address === null || isIP(address) !== 6) return address ?? 'unknown'
  const groups = groupsOf(address)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, of which a URL knows the shortest form. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [before = [], after = []] = shortest.split('::').map((part) => (part ? part.split(':') : []))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** Whether each percent sign of an address belongs to the UTF-8 of a character. */
export function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** What was sent, read here because bytes that belong to no character would be kept as something else; null without a body. */
export const bodyOf = async (request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  hasBody(request.headers) ? new Uint8Array(await request.arrayBuffer()) : null

/** The same request with its JSON, whose type is written as the API's library looks for it. */
export function withJson({ url, method, headers: given, signal }: Request, body: Uint8Array<ArrayBuffer>): Request {
  const headers = new Headers(given)
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body, signal })
}

/** Of a JSON text, without the space before it. */
export const firstCharacter = (text: Uint8Array): string =>
  String.fromCharCode(text.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) ?? 0)

export const hasBody = (headers: Headers): boolean => Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')
const isJson = (type: string): boolean => /^application\/json\s*(;|$)/i.test(type)
/** JSON is UTF-8 (RFC 8259): what says that it is anything else would be read as something that no one wrote. */
const isUtf8 = (type: string): boolean => /^utf-?8$/i.test(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8')

/** Why the body of a request can't be read as JSON, by its headers alone; null when it can. */
export function jsonProblem(headers: Headers): { code: 'UNSUPPORTED_CONTENT_TYPE'; message: string } | null {
  const type = headers.get('content-type') ?? ''
  if (!isJson(type)) return { code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json' }
  return isUtf8(type) ? null : { code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json in UTF-8' }
}

/** A state change that another site's page sends with our cookie. Programs send no Origin and carry no cookie of a browser. */
export function isForeignWrite(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null) return site === 'cross-site'
  // A form of our own pages, whose referrer policy hides where it comes from; a browser lets no one else say this.
  if (origin === 'null' && site === 'same-origin') return false
  const host = request.headers.get('host') ?? ''
  // On the machine itself any of its loopback names will do, whichever APP_URL has.
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) && origin === `http://${host}`
  return origin !== new URL(appUrl).origin && !isLocal
}
