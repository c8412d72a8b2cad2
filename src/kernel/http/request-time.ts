import type { IncomingMessage } from 'node:http'

/** Milliseconds within which a request has to arrive completely, unless its time is extended. */
export const defaultTime = 300_000

const hour = 3_600_000
/** For uploads by authenticated users: the largest file, 1 GB, at 100 kbit/s. */
export const staffFileTime = 24 * hour
/** For a patient's upload of at most 10 MB, once the session is verified. */
export const patientFileTime = hour

const extensions = new WeakMap<IncomingMessage, (milliseconds: number) => void>()

/**
 * Ends a request that has not arrived in time. Node's own limit applies to all requests: short enough for calls, it would abort large
 * uploads over slow connections; without it, a client sending a byte a minute could hold a connection forever.
 */
export function limitTime(request: IncomingMessage, milliseconds: number, end: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const within = (left: number) => {
    clearTimeout(timer)
    if (!request.complete && !request.destroyed) timer = setTimeout(() => request.complete || end(), left).unref()
  }
  within(milliseconds)
  extensions.set(request, within)
  request.once('close', () => clearTimeout(timer))
}

/** Restarts the time limit of a request with this many milliseconds. */
export const extendTime = (request: IncomingMessage, milliseconds: number): void => extensions.get(request)?.(milliseconds)
