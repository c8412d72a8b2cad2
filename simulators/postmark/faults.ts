/** Injects the failures of real email services on demand, for tests and demonstrations. */
import { z } from 'zod'

/**
 * One of
 * - `{ status: 500 }` (any 4xx or 5xx; `errorCode` and `message` replace the usual ones): refused, nothing is accepted;
 * - `{ timeout: true }`: no answer ever comes, nothing is accepted;
 * - `{ drop: true }`: the message is accepted, then the connection breaks before the answer;
 * - `{ badJson: true }`: the message is accepted and the answer is cut short.
 *
 * Each holds for the next `times` requests (1 unless told); several queue up.
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

/** First come, first served; a fault leaves when it has happened `times` times. */
export class FaultQueue {
  #waiting: Fault[] = []

  add(fault: Fault): void {
    this.#waiting.push({ ...fault })
  }

  /** The fault of this request, if there is one. */
  nextFault(): Fault | undefined {
    const [fault] = this.#waiting
    if (fault && --fault.times === 0) this.#waiting.shift()
    return fault
  }

  list(): readonly Fault[] {
    return this.#waiting
  }

  clear(): void {
    this.#waiting = []
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
