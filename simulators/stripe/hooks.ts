/** Posts events to the application's endpoint as Stripe does: signed (docs, "Verify webhook signatures"), and again until it is accepted. */
import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { randomFrom } from '../random.ts'
import type { StripeEvent } from './store.ts'

/** A post to the endpoint, with its response; null with the reason in `body` when there was none. */
export type HookCall = { type: string; eventId: string; status: number | null; body: string }

export const deliveries = z.strictObject({
  /** Before each post. */
  delayMs: z.int().nonnegative().default(0),
  /** Each event is posted twice. */
  isDoubled: z.boolean().default(false),
  /** Events wait until this many have happened, and are then posted in random order. */
  shuffled: z.int().positive().default(1),
  /** The share of events that are never posted. */
  lostShare: z.number().min(0).max(1).default(0),
  seed: z.int().default(1),
  /** How often an event that was not accepted is posted again. */
  retries: z.int().nonnegative().default(3),
})
export type Deliveries = z.input<typeof deliveries>

const timeoutMs = 15_000
const maxCallsKept = 10_000

/** The `Stripe-Signature` of a post. @param at seconds since 1970. */
export function signatureOf(secret: string, at: number, payload: string): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`
}

export class Hooks {
  /** Newest first. */
  readonly calls: HookCall[] = []
  url: string | undefined
  readonly #secret: string
  readonly #now: () => number
  readonly #stopping = new AbortController()
  readonly #pending = new Set<Promise<unknown>>()
  #fate = deliveries.parse({})
  #random = randomFrom(1)
  #held: StripeEvent[] = []

  /** @param now seconds since 1970. */
  constructor(secret: string, now: () => number) {
    this.#secret = secret
    this.#now = now
  }

  set(given: Deliveries): void {
    this.#fate = deliveries.parse(given)
    this.#random = randomFrom(this.#fate.seed)
    this.release()
  }

  accept(event: StripeEvent): void {
    if (this.#random() < this.#fate.lostShare) return
    this.#held.push(event)
    if (this.#held.length >= this.#fate.shuffled) this.release()
  }

  /** Posts what waits to be shuffled. */
  release(): void {
    const events = this.#held.map((event) => ({ event, place: this.#fate.shuffled > 1 ? this.#random() : 0 }))
    this.#held = []
    for (const { event } of events.toSorted((a, b) => a.place - b.place)) {
      for (let times = this.#fate.isDoubled ? 2 : 1; times > 0; times--) this.#track(this.#deliver(event))
    }
  }

  /** Posts one event now. Resolves with the response. */
  async post(event: StripeEvent): Promise<HookCall> {
    const payload = JSON.stringify(event, null, 2)
    const call: HookCall = { type: event.type, eventId: event.id, ...(await this.#send(payload)) }
    this.calls.unshift(call)
    this.calls.length = Math.min(this.calls.length, maxCallsKept)
    return call
  }

  /** Resolves once nothing is left to post. */
  async settled(): Promise<void> {
    this.release()
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #deliver(event: StripeEvent): Promise<void> {
    const { delayMs, retries } = this.#fate
    for (let attempt = 0; attempt <= retries; attempt++) {
      await wait(delayMs + (attempt > 0 ? 100 * 2 ** attempt : 0), undefined, { signal: this.#stopping.signal })
      const { status } = await this.post(event)
      if (status !== null && status < 300) return
    }
  }

  #track(work: Promise<unknown>): void {
    const ended = work.catch(() => {}).finally(() => this.#pending.delete(ended))
    this.#pending.add(ended)
  }

  async #send(payload: string): Promise<Pick<HookCall, 'status' | 'body'>> {
    if (!this.url) return { status: 200, body: 'No endpoint is set.' }
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signatureOf(this.#secret, this.#now(), payload),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopping.signal]),
      })
      return { status: response.status, body: (await response.text()).slice(0, 10_000) }
    } catch (error) {
      const { cause } = error as Error
      return { status: null, body: cause instanceof Error ? String(cause) : String(error) }
    }
  }
}
