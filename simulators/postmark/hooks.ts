/** The hooks that Postmark posts to: their URLs, responses and retry schedule. */
import { z } from 'zod'

const hookAddress = z.url({ protocol: /^https?$/ }).nullish()

/** Addresses may carry `user:password@`, which becomes HTTP Basic. Null removes a hook; one that is left out stays. */
export const hooksRequest = z.strictObject({ inbound: hookAddress, events: hookAddress })
export type HookAddresses = z.input<typeof hooksRequest>

type Kind = keyof z.output<typeof hooksRequest>

/** One posting, with all its attempts so far. */
export type HookCall = {
  id: string
  kind: Kind
  /** The JSON that was posted. */
  payload: Record<string, unknown>
  attempts: number
  /** The hook's last response; null with the reason in `body` when there was no response. */
  status: number | null
  body: string
  /** When it is retried automatically; null once accepted, permanently refused (403) or out of attempts. */
  retryInMs: number | null
}

const minute = 60_000
/** Support article "Understanding inbound webhook retries": ten of them over some ten hours; bounces and complaints have the same. */
const longSchedule = [1, 5, 10, 10, 10, 15, 30, 60, 120, 360].map((minutes) => minutes * minute)
/** Deliveries and changes of subscription are tried three times more. */
const shortSchedule = [1, 5, 15].map((minutes) => minutes * minute)
const responseTimeoutMs = 2 * minute
const maxResponseKept = 10_000
const maxCallsKept = 1_000

export class Hooks {
  readonly calls: HookCall[] = []
  readonly #addresses: Partial<Record<Kind, string>> = {}
  readonly #timers = new Map<HookCall, NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  readonly #schedule: readonly number[] | undefined

  /** @param schedule in milliseconds, in place of Postmark's own. */
  constructor(addresses: HookAddresses = {}, schedule?: readonly number[]) {
    this.#schedule = schedule
    this.set(addresses)
  }

  set(addresses: HookAddresses): void {
    const given = hooksRequest.parse(addresses)
    for (const kind of ['inbound', 'events'] as const) {
      if (given[kind] === null) delete this.#addresses[kind]
      else if (given[kind] !== undefined) this.#addresses[kind] = given[kind]
    }
  }

  has(kind: Kind): boolean {
    return this.#addresses[kind] !== undefined
  }

  /** Posts, and answers the hook's first response. Further attempts go on by themselves. */
  async post(kind: Kind, payload: Record<string, unknown>): Promise<HookCall> {
    const call: HookCall = { id: crypto.randomUUID(), kind, payload, attempts: 0, status: null, body: '', retryInMs: null }
    this.calls.unshift(call)
    if (this.calls.length > maxCallsKept) this.calls.length = maxCallsKept
    await this.#attempt(call)
    return call
  }

  /** Retries pending calls now, like the button on Postmark's activity page. */
  async retryNow(): Promise<HookCall[]> {
    const waiting = [...this.#timers.keys()]
    await Promise.all(waiting.map((call) => this.#attempt(call)))
    return waiting
  }

  stop(): void {
    this.#stopping.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  async #attempt(call: HookCall): Promise<void> {
    clearTimeout(this.#timers.get(call))
    this.#timers.delete(call)
    call.attempts += 1
    const answer = await this.#send(call)
    Object.assign(call, answer)
    const schedule = this.#schedule ?? (isLong(call.payload) ? longSchedule : shortSchedule)
    const wait = schedule[call.attempts - 1]
    const isDone = answer.status === 200 || answer.status === 403 || wait === undefined || this.#stopping.signal.aborted
    call.retryInMs = isDone ? null : wait
    if (!isDone)
      this.#timers.set(
        call,
        setTimeout(() => void this.#attempt(call), wait),
      )
  }

  async #send({ kind, payload }: HookCall): Promise<Pick<HookCall, 'status' | 'body'>> {
    const address = this.#addresses[kind]
    if (address === undefined) return { status: null, body: `No ${kind} hook was named.` }
    const { url, authorization } = withoutCredentials(address)
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Postmark', ...(authorization && { authorization }) },
        body: JSON.stringify(payload),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), this.#stopping.signal]),
      })
      return { status: answer.status, body: (await answer.text()).slice(0, maxResponseKept) }
    } catch (error) {
      const { cause } = error as Error
      return { status: null, body: cause instanceof Error ? String(cause) : String(error) }
    }
  }
}

const isLong = (payload: Record<string, unknown>) => !['Delivery', 'SubscriptionChange'].includes(String(payload['RecordType']))

/** fetch refuses an address that holds a name and password. */
function withoutCredentials(address: string): { url: string; authorization: string | undefined } {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, authorization: pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}` }
}
