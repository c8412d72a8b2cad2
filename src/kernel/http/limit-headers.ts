/** The state of a limit after a request. `resetMs`: time until the count resets. */
export type LimitUse = {
  name: string
  quota: number
  windowSeconds: number
  remaining: number
  resetMs: number
  isExceeded: boolean
  /** Counted for the person a request is about, such as the owner of an email address. Not shown, because it would reveal what they did. */
  isAboutSubject: boolean
}

/** Seconds to wait after a 429 without a limit, such as a full queue. */
const defaultWait = 5

/**
 * Headers with the limits that a request was counted against, as structured fields (draft-ietf-httpapi-ratelimit-headers-11), and with a
 * 429 the seconds to wait.
 */
export function limitHeaders(uses: readonly LimitUse[], status: number, headers?: Headers): Record<string, string> {
  if (uses.length === 0 && status !== 429) return {}
  const shown = [...new Map(uses.filter((use) => !use.isAboutSubject).map((use) => [use.name, use])).values()]
  const policy = shown.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
  const left = shown.map(({ name, remaining, resetMs }) => `"${name}";r=${Math.max(0, remaining)};t=${seconds(resetMs)}`)
  return {
    ...(shown.length > 0 ? { 'ratelimit-policy': policy.join(', '), ratelimit: left.join(', ') } : {}),
    ...(status === 429 ? { 'retry-after': waitOf(uses) ?? headers?.get('retry-after') ?? String(defaultWait) } : {}),
  }
}

function waitOf(uses: readonly LimitUse[]): string | null {
  const retryAfter = uses.filter((use) => use.isExceeded).map((use) => seconds(use.resetMs))
  return retryAfter.length > 0 ? String(Math.max(1, ...retryAfter)) : null
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
