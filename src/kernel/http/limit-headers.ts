/** How much of one limit a request has left. `resetMs`: until the limit counts from zero again. */
export type LimitUse = {
  name: string
  quota: number
  windowSeconds: number
  remaining: number
  resetMs: number
  isExceeded: boolean
  /** Counted by whom a request is about, such as the owner of an address: how much is left would say what they did. */
  isAboutSubject: boolean
}

/** Seconds to wait after a 429 that no limit counts, such as a queue that is full. */
const defaultWait = 5

/**
 * What an answer says of the limits that its request was counted against, as structured fields (draft-ietf-httpapi-ratelimit-headers-11), and
 * with a 429 how many seconds to wait.
 */
export function limitHeaders(uses: readonly LimitUse[], { status, headers }: Pick<Response, 'status' | 'headers'>): Record<string, string> {
  const shown = [...new Map(uses.filter((use) => !use.isAboutSubject).map((use) => [use.name, use])).values()]
  const policy = shown.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
  const left = shown.map(({ name, remaining, resetMs }) => `"${name}";r=${Math.max(0, remaining)};t=${seconds(resetMs)}`)
  return {
    ...(shown.length > 0 ? { 'ratelimit-policy': policy.join(', '), ratelimit: left.join(', ') } : {}),
    ...(status === 429 ? { 'retry-after': waitOf(uses) ?? headers.get('retry-after') ?? String(defaultWait) } : {}),
  }
}

function waitOf(uses: readonly LimitUse[]): string | null {
  const waits = uses.filter((use) => use.isExceeded).map((use) => seconds(use.resetMs))
  return waits.length > 0 ? String(Math.max(1, ...waits)) : null
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
