/** The account's objects, as Stripe returns them, and the events about them. */
import { randomBytes } from 'node:crypto'
import type { TestCard } from './cards.ts'
import { missing } from './refusal.ts'

/** Times are in seconds since 1970, amounts in cents. */
export type Resource = { id: string; object: string; created: number; livemode: false; metadata: Record<string, string> }
/** The fields of an object, which differ by its kind. */
export type Fields = Record<string, ReturnType<typeof JSON.parse>>

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
  data: { object: object }
}

/** The version that the client's requests are pinned to, and that events have. */
const apiVersion = '2026-10-28.endive'

export class Store {
  readonly objects = new Map<string, Resource & Fields>()
  /** What a payment method does when it is charged, by its id. */
  readonly cards = new Map<string, TestCard>()
  readonly events: StripeEvent[] = []
  readonly now: () => number
  readonly #onEvent: (event: StripeEvent) => void

  /** @param now milliseconds since 1970. */
  constructor(now: () => number, onEvent: (event: StripeEvent) => void) {
    this.now = () => Math.floor(now() / 1_000)
    this.#onEvent = onEvent
  }

  /** Adds an object with a new id. @param prefix as in 'pi'. */
  add(prefix: string, object: string, fields: Fields): Resource & Fields {
    const made = { id: newId(prefix), object, created: this.now(), livemode: false as const, metadata: {}, ...fields }
    this.objects.set(made.id, made)
    return made
  }

  /** @throws StripeRefusal 404 */
  get(object: string, id: string, param?: string): Resource & Fields {
    const found = this.objects.get(id)
    if (found?.object !== object) throw missing(object, id, param)
    return found
  }

  /** Newest first. */
  list(object: string): (Resource & Fields)[] {
    return [...this.objects.values()].filter((one) => one.object === object).toReversed()
  }

  emit(type: string, object: object): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: this.now(),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: structuredClone(object) },
    }
    this.events.push(event)
    this.#onEvent(event)
  }
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
