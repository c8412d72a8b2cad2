import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, type Refusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { hashPayload, recordOnce } from '../../platform/idempotency/service.ts'
import { completed, enqueueSettling, type ReceiptRow, settle } from './settle.ts'
import { salesReceipts } from '../payments/table.ts'

type Made = 'id' | 'idempotencyKey' | 'payloadHash' | 'requestId' | 'isUncertain' | 'createdBy' | 'createdAt'
type NewReceipt = Omit<typeof salesReceipts.$inferInsert, Made>

/** Undefined: another request with the same key was faster. */
type Keep = (tx: Db, receipt: NewReceipt) => Promise<ReceiptRow | undefined>

/** Minutes in which an identical sale by the same user without a key counts as a repeat. */
const repeatMinutes = 10

/** Creates a receipt once per key (`keepOnce`), and settles it. */
export async function once<Refused extends Refusal<string, unknown> | null>(
  scope: Scope,
  key: string | null,
  content: object,
  make: (keep: Keep) => Promise<Refused | ReceiptRow | undefined>,
) {
  return settleMade(scope, await keepOnce(scope, key, content, make))
}

/** Settles the receipt that was stored; a refusal stays. */
export async function settleMade<Refused extends Refusal<string, unknown> | null>(scope: Scope, made: Refused | ReceiptRow) {
  return made === null || isRefusal(made) ? made : completed(await settle(scope, (made as ReceiptRow).id))
}

/**
 * Stores a receipt once per key, even for concurrent requests. `make` refuses, or stores the receipt in the
 * transaction in which it read its inputs. A reused key with other content is refused. Without a key, which the payload of
 * spec 3 does not have, the same user's identical receipt of the last 10 minutes is returned.
 */
export async function keepOnce<Refused extends Refusal<string, unknown> | null>(
  scope: Scope,
  key: string | null,
  content: object,
  make: (keep: Keep) => Promise<Refused | ReceiptRow | undefined>,
): Promise<Refused | ReceiptRow | Refusal<'KEY_REUSED'>> {
  const payloadHash = hashPayload(content)
  const repeated = key ? null : await repeatedReceipt(scope.db, scope, payloadHash)
  if (repeated) return repeated
  return recordOnce(scope.db, { table: salesReceipts, key, payload: content }, (keyed): Promise<Refused | ReceiptRow | undefined> =>
    make(async (tx, receipt) => {
      const same = key ? null : await lockedRepeat(tx, scope, payloadHash)
      return same ?? keepPending(tx, scope, { ...receipt, ...keyed })
    }),
  )
}

/** The same user's identical receipt of the last minutes, unless QuickBooks refused it or it was cancelled. */
async function repeatedReceipt(db: Db, scope: Scope, payloadHash: string): Promise<ReceiptRow | null> {
  const since = new Date(scope.now().getTime() - repeatMinutes * 60_000)
  const { createdBy, createdAt, state, payloadHash: hash } = salesReceipts
  const [row] = await db
    .select()
    .from(salesReceipts)
    .where(and(eq(hash, payloadHash), eq(createdBy, staff(scope).id), gt(createdAt, since), inArray(state, ['pending', 'complete'])))
    .orderBy(asc(createdAt))
    .limit(1)
  return row ?? null
}

/** The same, after waiting for concurrent requests that store the same receipt to commit. */
async function lockedRepeat(tx: Db, scope: Scope, payloadHash: string): Promise<ReceiptRow | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sale ${staff(scope).id} ${payloadHash}`}, 0))`)
  return repeatedReceipt(tx, scope, payloadHash)
}

/** Stores the receipt as pending, with a job that settles it if this process dies before QuickBooks answers. */
async function keepPending(
  tx: Db,
  scope: Scope,
  receipt: NewReceipt & { idempotencyKey: string; payloadHash: string },
): Promise<ReceiptRow | undefined> {
  const id = uuidv7()
  const [row] = await tx
    .insert(salesReceipts)
    .values({ ...receipt, id, requestId: id, isUncertain: false, createdBy: scope.actor?.id ?? null, createdAt: scope.now() })
    .onConflictDoNothing({ target: salesReceipts.idempotencyKey })
    .returning()
  if (!row) return undefined
  await enqueueSettling(tx, scope, id)
  const { kind, refundOf, totalCents, customerId } = row
  await recordChange(tx, scope, {
    action: 'created',
    kind: 'sales receipt',
    contactIds: [],
    after: { id, kind, refundOf, totalCents, customerId },
  })
  await publish(tx, 'receipt', id)
  if (refundOf) await publish(tx, 'receipt', refundOf)
  return row
}
