import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { holding } from '../../care/surgeries/rules.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Owing, OutstandingFilters } from './contract.ts'
import { chargesOf, surgeryDaysOf } from './ledger.ts'
import { ageingOf, byUrgency, isHeld, type Portion, portionsOf } from './rules.ts'
import { collectionNotes, ledgerEntries } from './table.ts'

/** Everyone who owes, the most urgent first, a page at a time, and what all of them owe together. */
export async function listOutstanding(scope: Scope, { page, limit, ...filters }: OutstandingFilters & { page: number; limit: number }) {
  const { age, ...others } = filters
  const { owing: all, open, today } = await readOutstanding(scope, others)
  const owing = all.filter(isOfAge(age))
  const data = owing.slice((page - 1) * limit, page * limit)
  if (data.length > 0) await scope.recordView({ kind: 'ledger', contactIds: data.map(({ contact }) => contact.id) })
  return numberedPage({ data, total: owing.length, balanceCents: sumOf(open), ageing: ageingOf(open, today) }, { page, limit })
}

/** Everyone who owes, the most urgent first, and all that is open of them. */
export async function readOutstanding(scope: Scope, { show, age, ownerId }: OutstandingFilters) {
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const all = (await openAccounts(scope, ownerId ? eq(contacts.assignedSalesRepId, ownerId) : undefined)).filter(
    ({ portions, isHeld, promise }) =>
      show === 'all' ||
      (show === 'late' && portions.some(({ dueOn }) => dueOn < today)) ||
      (show === 'before-surgery' && portions[0]!.isBeforeSurgery) ||
      (show === 'held' && isHeld) ||
      (show === 'promised' && promise !== null),
  )
  all.sort((a, b) => byUrgency(a.portions[0]!, b.portions[0]!))
  const owing = all.map(
    ({ portions, ...account }): Owing => ({
      ...account,
      balanceCents: sumOf(portions),
      ageing: ageingOf(portions, today),
      beforeSurgeryCents: sumOf(portions.filter(({ isBeforeSurgery }) => isBeforeSurgery)),
      nextDueOn: portions.map(({ dueOn }) => dueOn).toSorted()[0]!,
    }),
  )
  return { owing: owing.filter(isOfAge(age)), open: all.flatMap(({ portions }) => portions), today }
}

/** Who has something open that is as late as this; everyone where no age is asked for. */
const isOfAge =
  (age: OutstandingFilters['age']) =>
  ({ ageing }: Owing): boolean =>
    age === undefined || ageing[age] > 0

const sumOf = (portions: readonly Portion[]): number => portions.reduce((sum, { openCents }) => sum + openCents, 0)

interface Owed {
  portions: Portion[]
  /** Their surgery waits for all of it, whatever is due when. */
  isHeld: boolean
}

/** What is open of each of these patients; of anyone who was never charged there is no entry. */
export async function owedByContacts(db: Db, env: Scope['env'], contactIds: readonly string[]): Promise<Map<string, Owed>> {
  const ids = [...contactIds]
  const [entries, notes, surgeryDays] = await Promise.all([
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, ids)),
    notesOf(db, inArray(collectionNotes.contactId, ids)),
    surgeryDaysOf(db, env, inArray(ledgerEntries.contactId, ids)),
  ])
  const entriesOf = Map.groupBy(entries, ({ contactId }) => contactId)
  return new Map(
    [...entriesOf].map(([id, mine]) => {
      const portions = chargesOf(mine, surgeryDays).flatMap(portionsOf)
      return [id, { portions, isHeld: isHeld(notes.get(id) ?? [], sumOf(portions)) }]
    }),
  )
}

/** What was agreed with patients, by patient, the latest first. */
async function notesOf(db: Db, condition: SQL) {
  const notes = await db.select().from(collectionNotes).where(condition).orderBy(desc(collectionNotes.createdAt), desc(collectionNotes.id))
  return Map.groupBy(notes, ({ contactId }) => contactId)
}

/** Patients with a balance. */
const debtors = (db: Db) =>
  db
    .select({ id: ledgerEntries.contactId })
    .from(ledgerEntries)
    .groupBy(ledgerEntries.contactId)
    .having(sql`sum(${ledgerEntries.amountCents}) > 0`)

export const countOutstanding = async ({ db }: Scope): Promise<{ count: number }> => ({ count: await db.$count(debtors(db).as('debtors')) })

/** The booked surgery of each patient, otherwise their last one: its procedures by name, and its day in the practice's calendar. */
async function surgeriesOf({ db, env, now }: Scope, condition: SQL) {
  const rows = await db
    .select({ contactId: surgeries.contactId, procedures: surgeries.procedures, startsAt: surgeries.startsAt })
    .from(surgeries)
    .where(and(condition, inArray(surgeries.status, [...holding])))
    .orderBy(asc(surgeries.startsAt), asc(surgeries.id))
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const planned = rows.map(({ contactId, startsAt, procedures: names }) => ({
    contactId,
    name: names.map(({ name }) => name).join(', '),
    surgeryDay: dayAt(startsAt, env.PRACTICE_TIME_ZONE),
  }))
  return new Map(
    [...Map.groupBy(planned, ({ contactId }) => contactId)].map(([id, mine]) => {
      const { name, surgeryDay } = mine.find((one) => one.surgeryDay >= today) ?? mine.at(-1)!
      return [id, { name, surgeryDay }]
    }),
  )
}

/** Patients of whom something is open, with that. The open charges of a clinic are few beside its patients. */
async function openAccounts(scope: Scope, condition: SQL | undefined) {
  const { db, env } = scope
  const owing = debtors(db)
  const [people, entries, notes, surgeryDays, cases] = await Promise.all([
    db
      .select({
        id: contacts.id,
        firstName: contacts.firstName,
        lastName: contacts.lastName,
        lastContactDate: contacts.lastContactDate,
        ownerId: contacts.assignedSalesRepId,
        interest: sql<string | null>`coalesce(${procedures.name}, ${contacts.procedureText})`,
      })
      .from(contacts)
      .leftJoin(procedures, eq(procedures.id, contacts.procedureId))
      .where(and(inArray(contacts.id, owing), condition)),
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, owing)),
    notesOf(db, inArray(collectionNotes.contactId, owing)),
    surgeryDaysOf(db, env, inArray(ledgerEntries.contactId, owing)),
    surgeriesOf(scope, inArray(surgeries.contactId, owing)),
  ])
  const entriesOf = Map.groupBy(entries, ({ contactId }) => contactId)
  return people.map(({ id, firstName, lastName, lastContactDate, ownerId, interest }) => {
    const mine = notes.get(id) ?? []
    const promise = mine.find(({ kind }) => kind === 'promise')
    const portions = chargesOf(entriesOf.get(id) ?? [], surgeryDays)
      .flatMap(portionsOf)
      .toSorted(byUrgency)
    return {
      contact: { id, firstName, lastName },
      procedure: cases.get(id) ?? (interest ? { name: interest, surgeryDay: null } : null),
      portions,
      isHeld: isHeld(mine, sumOf(portions)),
      promise: promise ? { amountCents: promise.amountCents, dueOn: promise.dueOn } : null,
      lastContactDate,
      ownerId,
    }
  })
}

/** Those of these patients who owe money: they are not deleted. */
export async function outstandingAmong(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: ledgerEntries.contactId })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.contactId, [...ids]))
    .groupBy(ledgerEntries.contactId)
    .having(sql`sum(${ledgerEntries.amountCents}) > 0`)
  return new Set(rows.map(({ id }) => id))
}
