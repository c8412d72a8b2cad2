import { and, asc, desc, eq, getTableColumns, inArray, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { exactInstant, isNewerThan, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { cardDisputes, cardPayments } from '../cards/table.ts'
import type { DisputeFilters, DisputePlace } from './contract.ts'
import { evidenceOf } from './evidence.ts'
import { needsEvidence, openStatuses, proposeStatement } from './rules.ts'
import { acceptDispute, keepStatement, type Statement, submitEvidence } from './submit.ts'

const isOpen = inArray(cardDisputes.status, [...openStatuses])
const deadline = sql`coalesce(${cardDisputes.dueBy}, ${cardDisputes.createdAt})`

const rows = (db: Db) =>
  db
    .select({
      ...getTableColumns(cardDisputes),
      exact: exactInstant(sql`case when ${isOpen} then ${deadline} else ${cardDisputes.createdAt} end`),
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

type DisputePage = DisputeFilters & { cursor?: DisputePlace | undefined; limit: number }

/** A page of disputes: those that wait for evidence by their deadline, soonest first, then the others, newest first. */
export async function listDisputes(scope: Scope, { state, cursor, limit }: DisputePage) {
  const { db } = scope
  const { id, createdAt } = cardDisputes
  const open =
    state === 'over' || cursor?.isOpen === false
      ? []
      : await rows(db)
          .where(and(isOpen, isNewerThan(cursor, deadline, id)))
          .orderBy(asc(deadline), asc(id))
          .limit(limit + 1)
  const isPast = isOlderThan(cursor?.isOpen ? undefined : cursor, createdAt, id)
  const over =
    state === 'open' || open.length > limit
      ? []
      : await rows(db)
          .where(and(notInArray(cardDisputes.status, [...openStatuses]), isPast))
          .orderBy(desc(createdAt), desc(id))
          .limit(limit + 1 - open.length)
  const [counted] = await db
    .select({ open: sql<number>`count(*)::int` })
    .from(cardDisputes)
    .where(and(isOpen, sql`${cardDisputes.evidence} is null`))
  const page = cursorPage([...open, ...over], limit, (last) => ({ at: last.exact, id: last.id, isOpen: needsEvidence(last) }))
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

export async function saveStatement(scope: Scope, given: Statement) {
  const refused = await keepStatement(scope, given)
  return refused === undefined ? (await findDispute(scope, given.id))! : refused
}

export async function submitDispute(scope: Scope, given: Statement) {
  const refused = await submitEvidence(scope, given)
  return refused === undefined ? (await findDispute(scope, given.id))! : refused
}

export async function giveUpDispute(scope: Scope, id: string) {
  const refused = await acceptDispute(scope, id)
  return refused === undefined ? (await findDispute(scope, id))! : refused
}
