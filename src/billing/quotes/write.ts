import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import { lockContact } from '../../care/reservations/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { recordOnce } from '../../platform/idempotency/service.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { NewQuote, Written } from './written-contract.ts'
import { quoteMessages } from './quote-contract.ts'
import { announce, write } from './quote-events.ts'
import { lock, isReplaced, type Row } from './lock.ts'
import { priced } from './price.ts'
import { getQuote } from './read.ts'
import { mayRevise, quoteName, defaultValidity } from './rules.ts'
import { quotes } from './table.ts'

type NewRow = Omit<typeof quotes.$inferInsert, 'createdBy' | 'createdAt' | 'updatedAt'>

/** Inserts a version with its audit row; undefined: another request with the same key was faster. */
async function insert(tx: Db, scope: Scope, values: NewRow): Promise<Row | undefined> {
  const now = scope.now()
  const [row] = await tx
    .insert(quotes)
    .values({ ...values, createdBy: staff(scope).id, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: quotes.idempotencyKey })
    .returning()
  if (row) await recordChange(tx, scope, { action: 'created', kind: 'quote', contactIds: [row.contactId], after: row })
  return row
}

/** The columns of a quote, if QuickBooks has its tax codes and the patient has the case. */
async function columnsOf(tx: Db, scope: Scope, contactId: string, written: Written) {
  const { surgeryId, title, note, validUntil, depositCents, depositName, instalments, isBeforeSurgery } = written
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  if (validUntil < today) return invalidReference({ validUntil: quoteMessages.past })
  if (instalments.some(({ dueOn }) => dueOn < today)) return invalidReference({ instalments: quoteMessages.pastInstalment })
  if (surgeryId) {
    const isOwnCase = and(eq(surgeries.id, surgeryId), eq(surgeries.contactId, contactId))
    const [one] = await tx.select({ id: surgeries.id }).from(surgeries).where(isOwnCase)
    if (!one) return invalidReference({ surgeryId: quoteMessages.noCase })
  }
  const result = await priced(tx, scope.env, written)
  if (isRefusal(result)) return result
  const inOrder = instalments.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const plainColumns = { surgeryId, title, note, validUntil, depositCents, depositName, isBeforeSurgery }
  return { ...plainColumns, ...result, instalments: inOrder }
}

/** Creates a draft quote once per key. A reused key for another quote is refused. */
export async function createQuote(scope: Scope, { idempotencyKey, ...given }: NewQuote) {
  return transact(scope.db, async (tx) => {
    const contact = await lockContact(tx, given.contactId)
    // The key is checked after locking the patient, because the same request may arrive twice at once.
    const row = await recordOnce(tx, { table: quotes, key: idempotencyKey, payload: given }, async (keyed) => {
      if (!contact) return invalidReference({ contactId: quoteMessages.noPatient })
      const { contactId, ...written } = given
      const columns = await columnsOf(tx, scope, contactId, written)
      if (isRefusal(columns)) return columns
      const { rows } = await tx.execute<{ number: string }>(sql`select nextval('quote_numbers') as number`)
      const made = await insert(tx, scope, { ...columns, ...keyed, contactId, number: Number(rows[0]!.number) })
      if (made) await announce(tx, scope, made, null)
      return made
    })
    return isRefusal(row) ? row : (await getQuote(tx, scope, row.id))!
  })
}

/** Changes a draft; sent quotes are immutable. Null: quote not found. */
export const changeQuote = (scope: Scope, { id, version, ...written }: Written & { id: string; version: number }) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.status !== 'draft') return refuse('NOT_DRAFT')
    if (before.version !== version) return refuse('CONFLICT', { current: (await getQuote(tx, scope, id))! })
    const columns = await columnsOf(tx, scope, before.contactId, written)
    if (isRefusal(columns)) return columns
    const row = await write(tx, scope, before, columns)
    await announce(tx, scope, row, null)
    return (await getQuote(tx, scope, id))!
  })

/**
 * Creates a new version of a quote: a draft copy of the last one, with the default validity if that one has expired. A sent one
 * is replaced immediately, so the patient can't accept what is about to change. Null: quote not found.
 */
export const reviseQuote = (scope: Scope, { id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    const revised = await recordOnce(tx, { table: quotes, key: idempotencyKey, payload: { revises: id } }, async (keyed) => {
      if (await isReplaced(tx, before)) return refuse('SUPERSEDED')
      if (!mayRevise(before.status)) return refuse('NOT_OPEN')
      const { number, contactId, surgeryId, title, note, lines, taxes, subtotalCents, taxCents, totalCents } = before
      const { discountPercent, discountCents, depositCents, depositName, instalments, isBeforeSurgery } = before
      const sums = { subtotalCents, discountPercent, discountCents, taxCents, totalCents }
      const money = { lines, taxes, ...sums, depositCents, depositName, instalments, isBeforeSurgery }
      const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
      const validUntil = before.validUntil < today ? daysLater(today, defaultValidity) : before.validUntil
      const draft = { number, contactId, surgeryId, title, note, validUntil, ...money, revision: before.revision + 1 }
      const row = await insert(tx, scope, { ...draft, ...keyed })
      if (!row) return undefined
      if (before.status === 'sent') await announce(tx, scope, await write(tx, scope, before, { status: 'superseded' }), null)
      await announce(tx, scope, row, `${quoteName(before)} replaced by a new version`)
      return row
    })
    return isRefusal(revised) ? revised : (await getQuote(tx, scope, revised.id))!
  })
