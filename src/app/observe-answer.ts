import { tracingChannel } from 'node:diagnostics_channel'
import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'

/** An answered request, without anything that its sender chose: no path, query or header. */
export type Answer = {
  /** Its name in the permission matrix; 'unmatched' if none. */
  route: string
  method: string
  /** 499 if the client left before there was one. */
  status: number
  /** From its headers to the last byte of the answer. */
  milliseconds: number
  /** Of the answer, with its headers. */
  bytes: number
  requestId: string
  accountId: string | null
  /** A stream of events lasts as long as its page is open. */
  isStream: boolean
}
export type AnswerObserver = (answer: Answer) => void

const clientLeft = 499
const unmatched = 'unmatched'

/** The handling of a request, up to the head of its answer. `route`, `status`: known at its end. */
export type RequestRun = { method: string; requestId: string; route: string; status: number }

/** Publishes each request, for traces. */
export const requestRuns = tracingChannel<unknown, RequestRun>('refyne:request')

/** Handles a request, and publishes it if anyone listens. */
export async function publishRequest(request: Request, handle: () => Promise<void>, status: () => number): Promise<void> {
  if (!requestRuns.hasSubscribers) return handle()
  const run: RequestRun = {
    method: request.env.incoming.method ?? '',
    requestId: request.get('requestId') ?? '',
    route: unmatched,
    status: 0,
  }
  return requestRuns.tracePromise(async () => {
    await handle()
    run.route = request.get('route') ?? unmatched
    run.status = status()
  }, run)
}

/** What is known of a request only after it was matched. */
type Request = { get: (name: 'requestId' | 'route' | 'accountId') => string | undefined; env: HttpBindings }

/** Notifies the observers when the answer to this request was sent, or its connection is gone. */
export function observeAnswer(request: Request, observers: readonly AnswerObserver[]): void {
  const { incoming, outgoing } = request.env
  const { socket } = incoming
  const start = performance.now()
  const sentBefore = socket.bytesWritten
  outgoing.once('close', () => {
    const route = request.get('route') ?? unmatched
    const answer: Answer = {
      route,
      method: incoming.method ?? '',
      status: outgoing.headersSent ? outgoing.statusCode : clientLeft,
      milliseconds: performance.now() - start,
      bytes: socket.bytesWritten - sentBefore,
      requestId: request.get('requestId') ?? '',
      accountId: request.get('accountId') ?? null,
      isStream: route === 'events.subscribe',
    }
    for (const observe of observers) observe(answer)
  })
}

/** Logs a line for each request, whatever LOG_LEVEL is. */
export function accessLog(log: Logger): AnswerObserver {
  const lines = log.child({}, { level: 'info' })
  return ({ requestId, route, method, status, milliseconds, bytes, accountId }) =>
    lines.info({ requestId, route, method, status, milliseconds: Math.round(milliseconds * 10) / 10, bytes, accountId }, 'Request')
}
