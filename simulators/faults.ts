/** Injects vendor faults on demand, one by one from a queue or at random from a seed. */
import { z } from 'zod'
import { pick, randomFrom } from './random.ts'

/**
 * - `timeoutBefore`, `timeoutAfter`: never responds, before or after carrying out the request;
 * - `dropBefore`, `dropAfter`: drops the connection, likewise;
 * - `status`: responds with that status without carrying out the request;
 * - `badJson`: carries out the request and truncates the response.
 */
const kind = z.enum(['timeoutBefore', 'timeoutAfter', 'dropBefore', 'dropAfter', 'status', 'badJson'])

const pattern = z.string().refine(isPattern, { error: 'is not a regular expression' })

/** The fields of queued and random faults. Without `match`, a fault applies to API calls but not to token requests. */
const common = {
  /** A regular expression for method and path, as in 'POST /v3/company/9341453250000001/salesreceipt'. */
  match: pattern.optional(),
  status: z.int().min(400).max(599).optional(),
  /** The Retry-After of a 429, in seconds. */
  retryAfter: z.int().nonnegative().default(1),
}

const queued = z.strictObject({ ...common, kind, times: z.int().positive().default(1) })
const random = z.strictObject({ ...common, share: z.number().min(0).max(1), kinds: z.array(kind).min(1), seed: z.int() })

/** `{ kind, times?, match?, status?, retryAfter? }` is queued; `{ random: { share, kinds, seed } }` replaces the random faults. */
export const faultRequest = z.union([z.strictObject({ random }), queued])

export type FaultRequest = z.input<typeof faultRequest>
export type Fault = { kind: z.output<typeof kind>; status: number; retryAfter: number }

/** The statuses of a random `status` fault without a given status. */
const defaultStatuses = [429, 500, 503]

export class Faults {
  #queue: z.output<typeof queued>[] = []
  #random: (z.output<typeof random> & { next: () => number }) | undefined
  readonly #defaultMatch: string

  /** @param defaultMatch the pattern of a fault without `match`. */
  constructor(defaultMatch: string) {
    this.#defaultMatch = defaultMatch
  }

  add(request: z.output<typeof faultRequest>): void {
    if ('random' in request) this.#random = { ...request.random, next: randomFrom(request.random.seed) }
    else this.#queue.push({ ...request })
  }

  /** Returns the fault for this call, if any: the first match in the queue, otherwise possibly a random one. */
  nextFault(methodAndPath: string): Fault | undefined {
    const matches = ({ match }: { match?: string | undefined }) => new RegExp(match ?? this.#defaultMatch).test(methodAndPath)
    const first = this.#queue.find(matches)
    if (first) {
      if (--first.times === 0) this.#queue.splice(this.#queue.indexOf(first), 1)
      return { kind: first.kind, status: first.status ?? 500, retryAfter: first.retryAfter }
    }
    const chance = this.#random
    if (!chance || !matches(chance) || chance.next() >= chance.share) return undefined
    return {
      kind: pick(chance.kinds, chance.next),
      status: chance.status ?? pick(defaultStatuses, chance.next),
      retryAfter: chance.retryAfter,
    }
  }

  list() {
    const { next: _next, ...chance } = this.#random ?? { next: undefined }
    return { queue: this.#queue, random: this.#random ? chance : null }
  }

  clear(): void {
    this.#queue = []
    this.#random = undefined
  }
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}
