import { and, desc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { defaultPrices } from '../price-lists/rules.ts'
import { listProcedures } from '../../crm/procedures/service.ts'
import { pricesOf } from '../price-lists/service.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Quote } from './contract.ts'
import type { Row } from './lock.ts'
import { shownStatus } from './rules.ts'
import { quotes } from './table.ts'

/** Versions of quotes as they are shown: what has become of each by today, and which is the newest. */
async function shownOf(db: Db, { now, env }: Pick<Scope, 'now' | 'env'>, rows: readonly Row[]): Promise<Quote[]> {
  if (rows.length === 0) return []
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const surgeryIds = [...new Set(rows.map(({ surgeryId }) => surgeryId).filter((id) => id !== null))]
  const numbers = [...new Set(rows.map(({ number }) => number))]
  const cases = surgeryIds.length > 0 ? await casesWhere(db, inArray(surgeries.id, surgeryIds)) : []
  const versions = await db.select({ number: quotes.number, revision: quotes.revision }).from(quotes).where(inArray(quotes.number, numbers))
  const newest = new Map<number, number>()
  for (const { number, revision } of versions) newest.set(number, Math.max(revision, newest.get(number) ?? 0))
  return rows.map((row) => ({
    ...row,
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

/** The days of these surgeries on the practice's calendar, by the case. */
export async function surgeryDaysOf(db: Db, env: Scope['env'], ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wanted = ids.filter((id) => id !== null)
  const rows = await db.select({ id: surgeries.id, startsAt: surgeries.startsAt }).from(surgeries).where(inArray(surgeries.id, wanted))
  return new Map(rows.map(({ id, startsAt }) => [id, dayAt(startsAt, env.PRACTICE_TIME_ZONE)]))
}

/** Null when there is no such patient. */
export async function quotesOf(scope: Scope, contactId: string): Promise<Quote[] | null> {
  if (!(await isPatient(scope, contactId))) return null
  const rows = await scope.db
    .select()
    .from(quotes)
    .where(eq(quotes.contactId, contactId))
    .orderBy(desc(quotes.number), desc(quotes.revision))
  await scope.recordView({ kind: 'quote', contactIds: [contactId] })
  return shownOf(scope.db, scope, rows)
}

/** What a quote for this patient may be for, and where it may go. Null when there is no such patient. */
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

/** Procedures with their price lists; one without begins with the default lines, but for implants, which few need. */
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

async function isPatient({ db }: Scope, id: string): Promise<boolean> {
  const [contact] = await db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id))
  return contact !== undefined
}

/** One version; null when there is none. */
export async function getQuote(db: Db, scope: Pick<Scope, 'now' | 'env'>, id: string): Promise<Quote | null> {
  const [one] = await shownOf(db, scope, await db.select().from(quotes).where(eq(quotes.id, id)))
  return one ?? null
}

export async function viewQuote(scope: Scope, id: string): Promise<Quote | null> {
  const found = await getQuote(scope.db, scope, id)
  if (found) await scope.recordView({ kind: 'quote', contactIds: [found.contactId] })
  return found
}
