import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'

/** Checks of a request before it is handled. */

export const foreignOrigin = { code: 'FOREIGN_ORIGIN', message: 'This request came from another site' }
/** Files are generated while they are read, which a HEAD request never does. */
export const getOnly = { code: 'METHOD_NOT_SUPPORTED', message: 'Use GET' }

/** The peer's address; behind a trusted proxy, the one that the proxy itself saw. */
export function clientAddress(bindings: HttpBindings, headers: Headers, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || bindings.incoming.socket.remoteAddress || 'unknown'
}

/**
 * The key of an address for rate limits. An IPv6 client can use any of the 2^64 addresses of its network, so the /64 network is counted.
 * IPv4 addresses are counted individually, in any notation. Logs contain the full address.
 */
export function rateLimitKey(address: string | null): string {
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

/** The eight groups of an IPv6 address, expanded from the shortest form, which URL produces. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [before = [], after = []] = shortest.split('::').map((part) => (part ? part.split(':') : []))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** Whether all percent-encoding in a URL is valid UTF-8. */
export function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** The body as bytes, because decoding would replace invalid UTF-8; null without a body. */
export const bodyOf = async (request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  hasBody(request.headers) ? new Uint8Array(await request.arrayBuffer()) : null

/** The first character of a JSON text after whitespace. */
export const firstCharacter = (text: Uint8Array): string =>
  String.fromCharCode(text.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) ?? 0)

export const hasBody = (headers: Headers): boolean => Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')
const isJson = (type: string): boolean => /^application\/json\s*(;|$)/i.test(type)
/** JSON is UTF-8 (RFC 8259); another charset would be decoded wrongly. */
const isUtf8 = (type: string): boolean => /^utf-?8$/i.test(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8')

/** Why the body of a request can't be read as JSON, by its headers alone; null when it can. */
export function jsonProblem(headers: Headers): { code: 'UNSUPPORTED_CONTENT_TYPE'; message: string } | null {
  const type = headers.get('content-type') ?? ''
  if (!isJson(type)) return { code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json' }
  return isUtf8(type) ? null : { code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json in UTF-8' }
}

/** Whether a page of another site sent this state change with our cookie. API clients send no Origin and have no browser cookie. */
export function isForeignWrite(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null) return site === 'cross-site'
  // A form on one of our pages whose referrer policy hides its origin. Browsers do not let other sites send this.
  if (origin === 'null' && site === 'same-origin') return false
  const host = request.headers.get('host') ?? ''
  // On this machine, any loopback name is accepted, regardless of APP_URL.
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) && origin === `http://${host}`
  return origin !== new URL(appUrl).origin && !isLocal
}
