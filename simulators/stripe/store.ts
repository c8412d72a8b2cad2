/** The account's objects, as Stripe returns them, and the events about them. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reply } from '../http.ts'
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

export type Answer = { fingerprint: string; reply: Reply }

type Stored = { objects: (Resource & Fields)[]; cards: [string, TestCard][]; answers: [string, Answer][] }

/** The version that the client's requests are pinned to, and that events have. */
const apiVersion = '2026-10-28.endive'

export class Store {
  readonly objects: Map<string, Resource & Fields>
  /** What a payment method does when it is charged, by its id. */
  readonly cards: Map<string, TestCard>
  /** The answers given to idempotency keys. */
  readonly answers: Map<string, Answer>
  readonly events: StripeEvent[] = []
  readonly now: () => number
  readonly #onEvent: (event: StripeEvent) => void
  readonly #file: string | undefined

  /**
   * @param now milliseconds since 1970.
   * @param file stores the account, so that it survives a restart.
   */
  constructor(now: () => number, onEvent: (event: StripeEvent) => void, file?: string) {
    this.now = () => Math.floor(now() / 1_000)
    this.#onEvent = onEvent
    this.#file = file
    const stored = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : { objects: [], cards: [], answers: [] }
    this.objects = new Map(stored.objects.map((object) => [object.id, object]))
    this.cards = new Map(stored.cards)
    this.answers = new Map(stored.answers)
  }

  save(): void {
    if (!this.#file) return
    const stored: Stored = { objects: [...this.objects.values()], cards: [...this.cards], answers: [...this.answers] }
    mkdirSync(path.dirname(path.resolve(this.#file)), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(stored))
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
    this.save()
    this.#onEvent(event)
  }
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
