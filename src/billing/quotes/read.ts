import { and, desc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { emailsOf, readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { defaultPrices } from '../price-lists/rules.ts'
import { listProcedures } from '../../crm/procedures/service.ts'
import { pricesOf } from '../price-lists/service.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Quote } from './quote-contract.ts'
import type { Row } from './lock.ts'
import { shownStatus } from './rules.ts'
import { quoteFinancings, quotes } from './table.ts'

/** Quote versions as the API returns them, with today's status and whether each is the newest. */
async function shownOf(db: Db, { now, env }: Pick<Scope, 'now' | 'env'>, rows: readonly Row[]): Promise<Quote[]> {
  if (rows.length === 0) return []
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const surgeryIds = [...new Set(rows.map(({ surgeryId }) => surgeryId).filter((id) => id !== null))]
  const numbers = [...new Set(rows.map(({ number }) => number))]
  const cases = surgeryIds.length > 0 ? await casesWhere(db, inArray(surgeries.id, surgeryIds)) : []
  const versions = await db.select({ number: quotes.number, revision: quotes.revision }).from(quotes).where(inArray(quotes.number, numbers))
  const newest = new Map<number, number>()
  for (const { number, revision } of versions) newest.set(number, Math.max(revision, newest.get(number) ?? 0))
  const financings = await db
    .select()
    .from(quoteFinancings)
    .where(
      inArray(
        quoteFinancings.quoteId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(desc(quoteFinancings.createdAt), desc(quoteFinancings.id))
  return rows.map((row) => ({
    ...row,
    financing: financings.find(({ quoteId }) => quoteId === row.id) ?? null,
    isNewest: newest.get(row.number) === row.revision,
    shownStatus: shownStatus(row, today),
    surgery: cases.find(({ id }) => id === row.surgeryId) ?? null,
  }))
}

const casesWhere = async (db: Db, condition: SQL | undefined) => {
  const rows = await db
    .select({ id: surgeries.id, procedures: surgeries.procedures, startsAt: surgeries.startsAt, priceCents: surgeries.priceCents })
    .from(surgeries)
    .where(condition)
    .orderBy(desc(surgeries.startsAt), desc(surgeries.id))
  return rows.map(({ procedures, ...one }) => ({
    ...one,
    procedureIds: procedures.map(({ id }) => id),
    procedures: procedures.map(({ name }) => name),
  }))
}

/** Days of these surgeries in the practice's time zone, by case ID. */
export async function surgeryDaysOf(db: Db, env: Scope['env'], ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wanted = ids.filter((id) => id !== null)
  const rows = await db.select({ id: surgeries.id, startsAt: surgeries.startsAt }).from(surgeries).where(inArray(surgeries.id, wanted))
  return new Map(rows.map(({ id, startsAt }) => [id, dayAt(startsAt, env.PRACTICE_TIME_ZONE)]))
}

/** Null: patient not found. */
export async function quotesOf(scope: Scope, contactId: string): Promise<Quote[] | null> {
  const read = scope.db.select().from(quotes).where(eq(quotes.contactId, contactId)).orderBy(desc(quotes.number), desc(quotes.revision))
  const rows = await readOfPatient(scope, 'quote', contactId, read)
  return rows && shownOf(scope.db, scope, rows)
}

/** Options of a quote for this patient: procedures, surgeries and email addresses. Null: patient not found. */
export async function choicesFor(scope: Scope, contactId: string) {
  const { db } = scope
  const [contact] = await db.select({ procedureId: contacts.procedureId }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const isPriced = and(eq(quotes.contactId, contactId), eq(quotes.status, 'accepted'))
  const [cases, addresses, procedures, accepted] = await Promise.all([
    casesWhere(db, and(eq(surgeries.contactId, contactId), ne(surgeries.status, 'cancelled'))),
    emailsOf(db, contactId),
    quotedProcedures(db),
    db.select({ surgeryId: quotes.surgeryId }).from(quotes).where(isPriced),
  ])
  await scope.recordView({ kind: 'quote', contactIds: [contactId] })
  return {
    cases: cases.map((one) => ({
      ...one,
      isUnquoted: one.startsAt > scope.now() && accepted.every(({ surgeryId }) => surgeryId !== one.id),
    })),
    procedures,
    procedureId: contact.procedureId,
    addresses: addresses ?? [],
  }
}

/** Procedures with their price lists; without one, the default lines except implants, which few procedures need. */
async function quotedProcedures(db: Db) {
  const listed = await listProcedures(db)
  const prices = await pricesOf(
    db,
    listed.map(({ id }) => id),
  )
  return listed.map((procedure) => {
    const own = prices.get(procedure.id) ?? []
    const suggested = defaultPrices(procedure).filter(({ kind }) => kind !== 'implants')
    return {
      ...procedure,
      pricesChangedAt: own[0]?.changedAt ?? null,
      prices: own.length > 0 ? own : suggested.map((line) => ({ ...line, id: null })),
    }
  })
}

/** One version. Null: quote not found. */
export async function getQuote(db: Db, scope: Pick<Scope, 'now' | 'env'>, id: string): Promise<Quote | null> {
  const [one] = await shownOf(db, scope, await db.select().from(quotes).where(eq(quotes.id, id)))
  return one ?? null
}

export async function viewQuote(scope: Scope, id: string): Promise<Quote | null> {
  const found = await getQuote(scope.db, scope, id)
  if (found) await scope.recordView({ kind: 'quote', contactIds: [found.contactId] })
  return found
}
