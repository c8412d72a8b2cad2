/** Injects the failures of real email services on demand, for tests and demonstrations. */
import { z } from 'zod'

/**
 * One of
 * - `{ status: 500 }`: refuses with any 4xx or 5xx (`errorCode` and `message` override the defaults);
 * - `{ timeout: true }`: never responds, accepts nothing;
 * - `{ drop: true }`: accepts the email and drops the connection before the response;
 * - `{ badJson: true }`: accepts the email and truncates the response.
 *
 * Each applies to the next `times` requests (default 1). Several faults are queued.
 */
export const faultRequest = z
  .object({ times: z.int().positive().default(1) })
  .and(
    z.union([
      z.object({ status: z.int().min(400).max(599), errorCode: z.int().optional(), message: z.string().optional() }),
      z.object({ timeout: z.literal(true) }),
      z.object({ drop: z.literal(true) }),
      z.object({ badJson: z.literal(true) }),
    ]),
  )
export type Fault = z.output<typeof faultRequest>

/** A first-in, first-out queue; a fault is removed after `times` requests. */
export class FaultQueue {
  #pending: Fault[] = []

  add(fault: Fault): void {
    this.#pending.push({ ...fault })
  }

  /** The fault for this request, if any. */
  nextFault(): Fault | undefined {
    const [fault] = this.#pending
    if (fault && --fault.times === 0) this.#pending.shift()
    return fault
  }

  list(): readonly Fault[] {
    return this.#pending
  }

  clear(): void {
    this.#pending = []
  }
}

/** Postmark's message for each status. */
export function standardError(status: number): { ErrorCode: number; Message: string } {
  return (
    {
      401: { ErrorCode: 10, Message: 'Request does not contain a valid Server token.' },
      429: { ErrorCode: 429, Message: 'Rate limit exceeded. Too many requests.' },
      500: { ErrorCode: 0, Message: 'Internal Server Error' },
      503: { ErrorCode: 100, Message: 'The Postmark API is offline for maintenance.' },
    }[status] ?? { ErrorCode: 0, Message: `Request returned status code ${status}` }
  )
}
