import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/transact.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import { holdContact } from '../../care/appointments/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import { type NewQuote, type Quote, quoteMessages, type Written } from './contract.ts'
import { tell, write } from './follow.ts'
import { lock, isReplaced, type Row } from './lock.ts'
import { priced, type Unpriced } from './price.ts'
import { getQuote } from './read.ts'
import { mayRevise, quoteName, defaultValidity } from './rules.ts'
import { quotes } from './table.ts'

type NewRow = Omit<typeof quotes.$inferInsert, 'createdBy' | 'createdAt' | 'updatedAt'>

/** A new version with its audit row; null: its key belongs to one that was faster. */
async function insert(tx: Db, scope: Scope, values: NewRow): Promise<Row | null> {
  const now = scope.now()
  const [row] = await tx
    .insert(quotes)
    .values({ ...values, createdBy: staff(scope).id, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: quotes.idempotencyKey })
    .returning()
  if (row) await recordChange(tx, scope, { action: 'created', kind: 'quote', contactIds: [row.contactId], after: row })
  return row ?? null
}

/** What a key stands for already; null: nothing. */
async function known(tx: Db, scope: Scope, key: string, payloadHash: string): Promise<Quote | 'key-reused' | null> {
  const [row] = await tx.select().from(quotes).where(eq(quotes.idempotencyKey, key))
  return row ? (row.payloadHash === payloadHash ? getQuote(tx, scope, row.id) : 'key-reused') : null
}

const hashOf = (content: object): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** The columns of what was written, if the books know its tax codes and the patient the case. */
async function columnsOf(tx: Db, scope: Scope, contactId: string, written: Written) {
  const { surgeryId, title, note, validUntil, depositCents, depositName, instalments, isBeforeSurgery } = written
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  if (validUntil < today) return { invalid: { validUntil: quoteMessages.past } }
  if (instalments.some(({ dueOn }) => dueOn < today)) return { invalid: { instalments: quoteMessages.pastInstalment } }
  if (surgeryId) {
    const isTheirs = and(eq(surgeries.id, surgeryId), eq(surgeries.contactId, contactId))
    const [one] = await tx.select({ id: surgeries.id }).from(surgeries).where(isTheirs)
    if (!one) return { invalid: { surgeryId: quoteMessages.noCase } }
  }
  const result = await priced(tx, scope.env, written)
  if (!('priced' in result)) return result
  const inOrder = instalments.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const said = { surgeryId, title, note, validUntil, depositCents, depositName, isBeforeSurgery }
  return { columns: { ...said, ...result.priced, instalments: inOrder } }
}

/** Writes a quote as a draft, once for a key: the same key for something else is refused. */
export async function createQuote(scope: Scope, { idempotencyKey, ...given }: NewQuote): Promise<Quote | Unpriced | 'key-reused'> {
  const payloadHash = hashOf(given)
  return transact(scope.db, async (tx) => {
    const contact = await holdContact(tx, given.contactId)
    // Looked for once the patient is locked: the same click may have come twice at once.
    const again = await known(tx, scope, idempotencyKey, payloadHash)
    if (again) return again
    if (!contact) return { invalid: { contactId: quoteMessages.noPatient } }
    const { contactId, ...written } = given
    const made = await columnsOf(tx, scope, contactId, written)
    if (!('columns' in made)) return made
    const { rows } = await tx.execute<{ number: string }>(sql`select nextval('quote_numbers') as number`)
    const values = { ...made.columns, contactId, number: Number(rows[0]!.number), idempotencyKey, payloadHash }
    const row = await insert(tx, scope, values)
    if (!row) return (await known(tx, scope, idempotencyKey, payloadHash))!
    await tell(tx, scope, row, null)
    return (await getQuote(tx, scope, row.id))!
  })
}

type Changed = Quote | Unpriced | { conflict: Quote } | 'not-draft' | null

/** Changes a draft. What was sent stays as it was sent. Null: there is none. */
export const changeQuote = (scope: Scope, { id, version, ...written }: Written & { id: string; version: number }): Promise<Changed> =>
  transact(scope.db, async (tx): Promise<Changed> => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (before.status !== 'draft') return 'not-draft'
    if (before.version !== version) return { conflict: (await getQuote(tx, scope, id))! }
    const made = await columnsOf(tx, scope, before.contactId, written)
    if (!('columns' in made)) return made
    const row = await write(tx, scope, before, made.columns)
    await tell(tx, scope, row, null)
    return (await getQuote(tx, scope, id))!
  })

type Revised = Quote | 'key-reused' | 'superseded' | 'not-open' | null

/**
 * A new version of a quote, a draft that says what the last one said, and is valid for the usual time where that one's is over. One that was sent
 * is replaced at once: the patient cannot accept what is about to change. Null: there is none.
 */
export const reviseQuote = (scope: Scope, { id, idempotencyKey }: { id: string; idempotencyKey: string }): Promise<Revised> =>
  transact(scope.db, async (tx): Promise<Revised> => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const payloadHash = hashOf({ revises: id })
    const again = await known(tx, scope, idempotencyKey, payloadHash)
    if (again) return again
    const { row: before } = locked
    if (await isReplaced(tx, before)) return 'superseded'
    if (!mayRevise(before.status)) return 'not-open'
    const { number, contactId, surgeryId, title, note, lines, taxes, subtotalCents, taxCents, totalCents } = before
    const { discountPercent, discountCents, depositCents, depositName, instalments, isBeforeSurgery } = before
    const sums = { subtotalCents, discountPercent, discountCents, taxCents, totalCents }
    const money = { lines, taxes, ...sums, depositCents, depositName, instalments, isBeforeSurgery }
    const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    const validUntil = before.validUntil < today ? daysLater(today, defaultValidity) : before.validUntil
    const draft = { number, contactId, surgeryId, title, note, validUntil, ...money, revision: before.revision + 1 }
    const row = await insert(tx, scope, { ...draft, idempotencyKey, payloadHash })
    if (!row) return 'key-reused'
    if (before.status === 'sent') await tell(tx, scope, await write(tx, scope, before, { status: 'superseded' }), null)
    await tell(tx, scope, row, `${quoteName(before)} is replaced by a new version`)
    return (await getQuote(tx, scope, row.id))!
  })
