/** The company's records, and the responses saved by request id. */
import { quickBooksTime, type Entity, type EntityType } from './entity.ts'
import type { Commit, Journal } from './journal.ts'
import { validationFault } from './refusal.ts'

/** A record before it is stored, without the fields that the store adds. */
export type Draft = Record<string, unknown>

/** QuickBooks' limit for a request id, in characters. */
const maxRequestIdLength = 50

export class CompanyStore {
  readonly #rows = new Map<EntityType, Map<string, Entity>>()
  readonly #responses = new Map<string, Record<string, unknown>>()
  readonly #lastIds = new Map<string, number>()
  /** The oldest record of each unique name or number. */
  readonly #byKey = new Map<string, Entity>()
  #lastNumber = 1000
  readonly #journal: Journal
  readonly #now: () => number

  constructor(seed: readonly (readonly [EntityType, readonly Entity[]])[], journal: Journal, now: () => number) {
    this.#journal = journal
    this.#now = now
    for (const [type, entities] of seed) for (const entity of entities) this.#store(type, entity)
  }

  /** Oldest first. */
  list(type: EntityType): Entity[] {
    return [...(this.#rows.get(type)?.values() ?? [])]
  }

  /** The document number of the next sale or refund without one. */
  nextNumber(): string {
    return String(this.#lastNumber + 1)
  }

  find(type: EntityType, id: string): Entity | undefined {
    return this.#rows.get(type)?.get(id)
  }

  /** The customer with this name, in whatever case, or the oldest transaction with this number. */
  findByKey(type: EntityType, key: string): Entity | undefined {
    return this.#byKey.get(inType(type, key))
  }

  /**
   * The response to the first request with this id. A repeated request gets the same response and changes nothing, whatever its body.
   *
   * @throws Refusal if the id is too long.
   */
  savedResponse(requestId: string | undefined): Record<string, unknown> | undefined {
    if (requestId === undefined) return undefined
    if (requestId.length > maxRequestIdLength)
      throw validationFault(2050, `requestid is longer than ${maxRequestIdLength} characters`, 'requestid')
    return this.#responses.get(requestId)
  }

  /** @returns the response body. */
  create(type: EntityType, draft: Draft, requestId?: string): Record<string, unknown> {
    const time = quickBooksTime(this.#now())
    return this.#commit(type, requestId, {
      ...draft,
      domain: 'QBO',
      sparse: false,
      Id: this.#nextId(type),
      SyncToken: '0',
      MetaData: { CreateTime: time, LastUpdatedTime: time },
    })
  }

  /** @param draft the complete new content. @returns the response body. */
  update(type: EntityType, before: Entity, draft: Draft, requestId?: string): Record<string, unknown> {
    return this.#commit(type, requestId, {
      ...draft,
      domain: 'QBO',
      sparse: false,
      Id: before.Id,
      SyncToken: String(Number(before.SyncToken) + 1),
      MetaData: { ...before.MetaData, LastUpdatedTime: quickBooksTime(this.#now()) },
    })
  }

  /** Restores what was committed before a restart. */
  restore({ type, requestId, body }: Commit): void {
    this.#store(type, body[type] as Entity)
    if (requestId !== undefined) this.#responses.set(requestId, body)
  }

  #store(type: EntityType, entity: Entity): void {
    const rows = this.#rows.get(type) ?? new Map<string, Entity>()
    const before = rows.get(entity.Id)
    if (before) this.#byKey.delete(keyOf(type, before))
    const key = keyOf(type, entity)
    if (!this.#byKey.has(key)) this.#byKey.set(key, entity)
    this.#rows.set(type, rows.set(entity.Id, entity))
    const sequence = sequenceOf(type)
    this.#lastIds.set(sequence, Math.max(this.#lastIds.get(sequence) ?? 0, Number(entity.Id)))
    if (transactions.includes(type) && /^\d{1,15}$/.test(String(entity.DocNumber)))
      this.#lastNumber = Math.max(this.#lastNumber, Number(entity.DocNumber))
  }

  #commit(type: EntityType, requestId: string | undefined, entity: Entity): Record<string, unknown> {
    const commit: Commit = { type, requestId, body: { [type]: entity, time: quickBooksTime(this.#now(), true) } }
    this.#journal.write({ commit })
    this.restore(commit)
    return commit.body
  }

  #nextId(type: EntityType): string {
    return String((this.#lastIds.get(sequenceOf(type)) ?? 0) + 1)
  }
}

const transactions: readonly EntityType[] = ['SalesReceipt', 'RefundReceipt', 'Deposit']

const inType = (type: EntityType, key: string): string => `${type} ${key.trim().toLowerCase()}`

/** A transaction is found by its number, a customer by name. */
const keyOf = (type: EntityType, { DocNumber, DisplayName, Id }: Entity): string =>
  inType(type, [DocNumber, DisplayName].find((key) => typeof key === 'string') ?? Id)

/** Sales, refunds and deposits share a sequence of ids, like all transactions in QuickBooks. */
const sequenceOf = (type: EntityType): string => (transactions.includes(type) ? 'transaction' : type)
