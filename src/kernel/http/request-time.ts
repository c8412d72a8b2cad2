import type { IncomingMessage } from 'node:http'

/** Milliseconds: within so many each request has to arrive as a whole, unless it is given more. */
export const defaultTime = 300_000

const hour = 3_600_000
/** For a file of someone who has proven who they are: the largest, 1 GB, at 100 kbit/s. */
export const staffFileTime = 24 * hour
/** For a file of a patient's, of 10 MB at most, once their session is known. */
export const patientFileTime = hour

const extensions = new WeakMap<IncomingMessage, (milliseconds: number) => void>()

/**
 * Ends a request that has not arrived in time. Node's own limit is one for all of them: as short as calls need it, large files over slow
 * connections never came; without it, whoever sends a byte a minute would hold a connection for ever.
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

/** From now on it has so many milliseconds. */
export const giveTime = (request: IncomingMessage, milliseconds: number): void => extensions.get(request)?.(milliseconds)
