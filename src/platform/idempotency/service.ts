import { createHash, randomUUID } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Database, Db } from '../../kernel/postgres/database.ts'
import { describeError } from '../../kernel/errors.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Route } from '../../kernel/access/policy.ts'
import { answersWithSecrets, isKey, keyLifetimeMs, type KeyRefusal } from './rules.ts'
import { idempotentRequests } from './table.ts'

export { hashPayload } from './hash-payload.ts'
export { type KeyColumns, recordOnce } from './record-once.ts'

/** After this long a running request is considered dead. A request that has written anything is never repeated. */
const leaseMs = 120_000
/** Maximum bytes of a stored answer. Longer ones are not stored. */
const maxAnswer = 256 * 1024
const sealedAs = 'idempotent answer'

/** `payloadHash`: null while an upload is arriving. */
type Asked = { key: string; route: Route; payloadHash: string | null }
export type Answer = { status: number; body: unknown }
export type Claim = {
  /** Database of the request: records whether any of its transactions committed. */
  scope: Scope
  finish: (answer: Answer, payloadHash?: string) => Promise<void>
  /** Frees the key after a failure. `isRefusal`: the request was refused, which writes nothing. */
  release: (isRefusal: boolean) => Promise<void>
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Claims an `Idempotency-Key` for a request of the scope's staff member or API key. A repeat gets the stored answer; while the first is
 * running, or with another payload, it is refused.
 */
export async function claimKey(
  scope: Scope,
  { key, route, payloadHash }: Asked,
): Promise<Claim | { answer: Answer; payloadHash: string | null } | { refusal: KeyRefusal }> {
  if (!isKey(key)) return { refusal: 'INVALID_IDEMPOTENCY_KEY' }
  const { id: userId, apiKey } = staff(scope)
  const id = digest([apiKey ? `key ${apiKey.id}` : `user ${userId}`, route, key].join('\n'))
  const now = scope.now()
  const mine = { payloadHash, attempt: randomUUID(), startedAt: now, leaseUntil: new Date(now.getTime() + leaseMs) }
  const fresh = { ...mine, hasWritten: false, answer: null }

  const { id: own, startedAt, leaseUntil, hasWritten, answer } = idempotentRequests
  const isExpired = lt(startedAt, new Date(now.getTime() - keyLifetimeMs))
  const isDead = and(lt(leaseUntil, now), eq(hasWritten, false), isNull(answer))
  const [claimed] = await scope.db
    .insert(idempotentRequests)
    .values({ id, ...fresh })
    .onConflictDoUpdate({ target: own, set: fresh, setWhere: or(isExpired, isDead)! })
    .returning({ id: own })
  if (claimed) return openClaim(scope, { id, attempt: mine.attempt, route })

  const [known] = await scope.db.select().from(idempotentRequests).where(eq(own, id))
  if (!known) return { refusal: 'IDEMPOTENCY_KEY_IN_USE' } // just freed
  if (payloadHash && known.payloadHash && payloadHash !== known.payloadHash) return { refusal: 'IDEMPOTENCY_KEY_REUSED' }
  if (known.answer === null) return { refusal: known.hasWritten && known.leaseUntil < now ? 'OUTCOME_UNKNOWN' : 'IDEMPOTENCY_KEY_IN_USE' }
  const opened = unseal(scope.env, sealedAs, known.answer)
  return opened ? { answer: JSON.parse(opened) as Answer, payloadHash: known.payloadHash } : { refusal: 'OUTCOME_UNKNOWN' }
}

type Held = { id: string; attempt: string; route: Route }

function openClaim(scope: Scope, { id, attempt, route }: Held): Claim {
  const isMine = and(eq(idempotentRequests.id, id), eq(idempotentRequests.attempt, attempt))
  /** Also stops a request whose lease expired and whose key another request has taken over. */
  const markWritten = async (tx: Db) => {
    const marked = await tx.update(idempotentRequests).set({ hasWritten: true }).where(isMine).returning({ id: idempotentRequests.id })
    if (marked.length === 0) throw new Error('Another request has taken over this Idempotency-Key')
  }
  const update = async (set: Partial<typeof idempotentRequests.$inferInsert>) => {
    await scope.db.update(idempotentRequests).set(set).where(isMine)
  }
  return {
    scope: { ...scope, db: marking(scope.db, markWritten), requestKey: toUuid(id) },
    async finish(answer, payloadHash) {
      const text = JSON.stringify(answer)
      const isKept = Buffer.byteLength(text) <= maxAnswer && !answersWithSecrets.has(route)
      const kept = { hasWritten: true, ...(payloadHash ? { payloadHash } : {}) }
      try {
        await update(isKept ? { ...kept, answer: seal(scope.env, sealedAs, text) } : { ...kept, leaseUntil: new Date(0) })
      } catch (error) {
        // The request succeeded and is answered so; a repeat gets a response that says the outcome is unknown.
        scope.log.warn({ route, error: describeError(error) }, 'An answer could not be stored under its Idempotency-Key')
      }
    },
    async release(isRefusal) {
      const freed = isRefusal ? isMine : and(isMine, eq(idempotentRequests.hasWritten, false))
      const gone = await scope.db.delete(idempotentRequests).where(freed).returning({ id: idempotentRequests.id })
      if (gone.length === 0) await update({ leaseUntil: new Date(0) })
    },
  }
}

/** Wraps the database so that each transaction of the request ends with `last`. */
const marking = (db: Database, last: (tx: Db) => Promise<void>): Database =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'transaction') return value
      const transaction: Database['transaction'] = (work, config) =>
        target.transaction(async (tx) => {
          const result = await work(tx)
          if (config?.accessMode !== 'read only') await last(tx)
          return result
        }, config)
      return transaction
    },
  })

/** A UUID made of the first half of a SHA-256, in hexadecimal. */
function toUuid(hash: string): string {
  const variant = ((Number.parseInt(hash[16]!, 16) & 3) | 8).toString(16)
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `${variant}${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
