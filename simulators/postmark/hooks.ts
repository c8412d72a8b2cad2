/** The hooks that Postmark posts to: their URLs, responses and retry schedule. */
import { z } from 'zod'

const hookAddress = z.url({ protocol: /^https?$/ }).nullish()

/** URLs may contain `user:password@`, sent as HTTP Basic. Null removes a hook; an omitted one stays unchanged. */
export const hooksRequest = z.strictObject({ inbound: hookAddress, events: hookAddress })
export type HookAddresses = z.input<typeof hooksRequest>

type Kind = keyof z.output<typeof hooksRequest>

/** A post to a hook, with its attempts so far. */
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
/** Support article "Understanding inbound webhook retries": ten retries over about ten hours, also for bounces and complaints. */
const longSchedule = [1, 5, 10, 10, 10, 15, 30, 60, 120, 360].map((minutes) => minutes * minute)
/** Deliveries and subscription changes are retried three times. */
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

  /** @param schedule replaces Postmark's schedule, in milliseconds. */
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

  /** Posts to the hook and resolves after the first attempt. Retries run in the background. */
  async post(kind: Kind, payload: Record<string, unknown>): Promise<HookCall> {
    const call: HookCall = { id: crypto.randomUUID(), kind, payload, attempts: 0, status: null, body: '', retryInMs: null }
    this.calls.unshift(call)
    if (this.calls.length > maxCallsKept) this.calls.length = maxCallsKept
    await this.#attempt(call)
    return call
  }

  /** Retries pending calls now, like the button on Postmark's activity page. */
  async retryNow(): Promise<HookCall[]> {
    const pending = [...this.#timers.keys()]
    await Promise.all(pending.map((call) => this.#attempt(call)))
    return pending
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
    const response = await this.#send(call)
    Object.assign(call, response)
    const schedule = this.#schedule ?? (isLong(call.payload) ? longSchedule : shortSchedule)
    const wait = schedule[call.attempts - 1]
    const isDone = response.status === 200 || response.status === 403 || wait === undefined || this.#stopping.signal.aborted
    call.retryInMs = isDone ? null : wait
    if (!isDone)
      this.#timers.set(
        call,
        setTimeout(() => void this.#attempt(call), wait),
      )
  }

  async #send({ kind, payload }: HookCall): Promise<Pick<HookCall, 'status' | 'body'>> {
    const address = this.#addresses[kind]
    if (address === undefined) return { status: null, body: `No ${kind} hook is set.` }
    const { url, authorization } = withoutCredentials(address)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Postmark', ...(authorization && { authorization }) },
        body: JSON.stringify(payload),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), this.#stopping.signal]),
      })
      return { status: response.status, body: (await response.text()).slice(0, maxResponseKept) }
    } catch (error) {
      const { cause } = error as Error
      return { status: null, body: cause instanceof Error ? String(cause) : String(error) }
    }
  }
}

const isLong = (payload: Record<string, unknown>) => !['Delivery', 'SubscriptionChange'].includes(String(payload['RecordType']))

/** Separates the credentials, because fetch refuses URLs that contain them. */
function withoutCredentials(address: string): { url: string; authorization: string | undefined } {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, authorization: pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}` }
}
