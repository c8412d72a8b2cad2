/** The company's records, and the answers that were given under a request id. */
import { quickBooksTime, type Entity, type EntityType } from './entity.ts'
import type { Commit, Journal } from './journal.ts'
import { validationFault } from './refusal.ts'

/** A record before it is stored, without the fields that the books add. */
export type Draft = Record<string, unknown>

/** QuickBooks' own limit for a request id, in characters. */
const requestIdLength = 50

export class Books {
  readonly #rows = new Map<EntityType, Map<string, Entity>>()
  readonly #answers = new Map<string, Record<string, unknown>>()
  readonly #journal: Journal
  readonly #now: () => number

  constructor(seed: readonly (readonly [EntityType, readonly Entity[]])[], journal: Journal, now: () => number) {
    this.#journal = journal
    this.#now = now
    for (const [type, entities] of seed) this.#rows.set(type, new Map(entities.map((entity) => [entity.Id, entity])))
  }

  /** Oldest first. */
  list(type: EntityType): Entity[] {
    return [...(this.#rows.get(type)?.values() ?? [])]
  }

  find(type: EntityType, id: string): Entity | undefined {
    return this.#rows.get(type)?.get(id)
  }

  /**
   * The answer that a request with this id got when it was carried out: a second one is answered the same and changes nothing, whatever it holds.
   *
   * @throws Refusal when the id is too long.
   */
  savedResponse(requestId: string | undefined): Record<string, unknown> | undefined {
    if (requestId === undefined) return undefined
    if (requestId.length > requestIdLength)
      throw validationFault(2050, `requestid is longer than ${requestIdLength} characters`, 'requestid')
    return this.#answers.get(requestId)
  }

  /** @returns the body to answer with. */
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

  /** @param draft everything that the record is to hold afterwards. @returns the body to answer with. */
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
    const entity = body[type] as Entity
    const rows = this.#rows.get(type) ?? new Map<string, Entity>()
    this.#rows.set(type, rows.set(entity.Id, entity))
    if (requestId !== undefined) this.#answers.set(requestId, body)
  }

  #commit(type: EntityType, requestId: string | undefined, entity: Entity): Record<string, unknown> {
    const commit: Commit = { type, requestId, body: { [type]: entity, time: quickBooksTime(this.#now(), true) } }
    this.#journal.write({ commit })
    this.restore(commit)
    return commit.body
  }

  /** Sales and refunds share one row of numbers, as transactions do. */
  #nextId(type: EntityType): string {
    const types: EntityType[] = type === 'SalesReceipt' || type === 'RefundReceipt' ? ['SalesReceipt', 'RefundReceipt'] : [type]
    return String(Math.max(0, ...types.flatMap((one) => this.list(one).map(({ Id }) => Number(Id)))) + 1)
  }
}
