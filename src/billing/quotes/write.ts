import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import { holdContact } from '../../care/reservations/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { recordOnce } from '../../platform/idempotency/service.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import { type NewQuote, quoteMessages, type Written } from './contract.ts'
import { tell, write } from './follow.ts'
import { lock, isReplaced, type Row } from './lock.ts'
import { priced } from './price.ts'
import { getQuote } from './read.ts'
import { mayRevise, quoteName, defaultValidity } from './rules.ts'
import { quotes } from './table.ts'

type NewRow = Omit<typeof quotes.$inferInsert, 'createdBy' | 'createdAt' | 'updatedAt'>

/** A new version with its audit row; undefined: its key belongs to one that was faster. */
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

/** The columns of what was written, if the books know its tax codes and the patient the case. */
async function columnsOf(tx: Db, scope: Scope, contactId: string, written: Written) {
  const { surgeryId, title, note, validUntil, depositCents, depositName, instalments, isBeforeSurgery } = written
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  if (validUntil < today) return invalidReference({ validUntil: quoteMessages.past })
  if (instalments.some(({ dueOn }) => dueOn < today)) return invalidReference({ instalments: quoteMessages.pastInstalment })
  if (surgeryId) {
    const isTheirs = and(eq(surgeries.id, surgeryId), eq(surgeries.contactId, contactId))
    const [one] = await tx.select({ id: surgeries.id }).from(surgeries).where(isTheirs)
    if (!one) return invalidReference({ surgeryId: quoteMessages.noCase })
  }
  const result = await priced(tx, scope.env, written)
  if (isRefusal(result)) return result
  const inOrder = instalments.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const said = { surgeryId, title, note, validUntil, depositCents, depositName, isBeforeSurgery }
  return { ...said, ...result, instalments: inOrder }
}

/** Writes a quote as a draft, once for a key: the same key for something else is refused. */
export async function createQuote(scope: Scope, { idempotencyKey, ...given }: NewQuote) {
  return transact(scope.db, async (tx) => {
    const contact = await holdContact(tx, given.contactId)
    // The key is looked for once the patient is locked: the same click may have come twice at once.
    const row = await recordOnce(tx, { table: quotes, key: idempotencyKey, payload: given }, async (keyed) => {
      if (!contact) return invalidReference({ contactId: quoteMessages.noPatient })
      const { contactId, ...written } = given
      const columns = await columnsOf(tx, scope, contactId, written)
      if (isRefusal(columns)) return columns
      const { rows } = await tx.execute<{ number: string }>(sql`select nextval('quote_numbers') as number`)
      const made = await insert(tx, scope, { ...columns, ...keyed, contactId, number: Number(rows[0]!.number) })
      if (made) await tell(tx, scope, made, null)
      return made
    })
    return isRefusal(row) ? row : (await getQuote(tx, scope, row.id))!
  })
}

/** Changes a draft. What was sent stays as it was sent. Null: there is none. */
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
    await tell(tx, scope, row, null)
    return (await getQuote(tx, scope, id))!
  })

/**
 * A new version of a quote, a draft that says what the last one said, and is valid for the usual time where that one's is over. One that was sent
 * is replaced at once: the patient cannot accept what is about to change. Null: there is none.
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
      if (before.status === 'sent') await tell(tx, scope, await write(tx, scope, before, { status: 'superseded' }), null)
      await tell(tx, scope, row, `${quoteName(before)} is replaced by a new version`)
      return row
    })
    return isRefusal(revised) ? revised : (await getQuote(tx, scope, revised.id))!
  })
