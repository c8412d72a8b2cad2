import { and, desc, eq, getTableColumns, inArray, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { cardDisputes, cardPayments } from '../cards/table.ts'
import type { DisputeFilters } from './contract.ts'
import { evidenceOf } from './evidence.ts'
import { openStatuses, proposeStatement } from './rules.ts'
import { keepStatement, submitEvidence } from './submit.ts'

const rows = (db: Db) =>
  db
    .select({
      ...getTableColumns(cardDisputes),
      exact: exactInstant(cardDisputes.createdAt),
      payment: cardPayments,
      contact: { id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName },
    })
    .from(cardDisputes)
    .innerJoin(cardPayments, eq(cardPayments.id, cardDisputes.paymentId))
    .innerJoin(contacts, eq(contacts.id, cardPayments.contactId))
    .$dynamic()

const shown = ({ payment: { paidAt, cardBrand, cardLast4 }, ...row }: Awaited<ReturnType<typeof rows>>[number]) => ({
  ...row,
  paidAt,
  cardBrand,
  cardLast4,
})

type DisputePage = DisputeFilters & { cursor?: InstantPlace | undefined; limit: number }

export async function listDisputes(scope: Scope, { state, cursor, limit }: DisputePage) {
  const { db } = scope
  const isOpen = inArray(cardDisputes.status, [...openStatuses])
  const matching = state && (state === 'open' ? isOpen : notInArray(cardDisputes.status, [...openStatuses]))
  const [found, [counted]] = await Promise.all([
    rows(db)
      .where(and(matching, isOlderThan(cursor, cardDisputes.createdAt, cardDisputes.id)))
      .orderBy(desc(cardDisputes.createdAt), desc(cardDisputes.id))
      .limit(limit + 1),
    db
      .select({ open: sql<number>`count(*)::int` })
      .from(cardDisputes)
      .where(and(isOpen, sql`${cardDisputes.evidence} is null`)),
  ])
  const page = cursorPage(found, limit, placeOf)
  const contactIds = [...new Set(page.data.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'card dispute', contactIds })
  return { data: page.data.map(shown), nextCursor: page.nextCursor, open: counted!.open }
}

/** A dispute with what is prepared for the bank. Null: not found. */
export async function findDispute(scope: Scope, id: string) {
  const [row] = await rows(scope.db).where(eq(cardDisputes.id, id))
  if (!row) return null
  await scope.recordView({ kind: 'card dispute', contactIds: [row.contact.id] })
  const evidence = await evidenceOf(scope, row.payment, row.createdAt)
  const setting = { practiceName: scope.env.PRACTICE_NAME, timeZone: scope.env.PRACTICE_TIME_ZONE }
  return { ...shown(row), statement: row.evidenceText ?? proposeStatement(evidence, setting), evidence }
}

export async function saveStatement(scope: Scope, id: string, statement: string) {
  const refused = await keepStatement(scope, id, statement)
  return refused === undefined ? (await findDispute(scope, id))! : refused
}

export async function submitDispute(scope: Scope, id: string, statement: string) {
  const refused = await submitEvidence(scope, id, statement)
  return refused === undefined ? (await findDispute(scope, id))! : refused
}
