import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { blockingStatuses } from '../../care/surgeries/rules.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { OutstandingFilters, OutstandingRow } from './account-contract.ts'
import { chargesOf, surgeryDaysOf } from './ledger.ts'
import { ageingOf, byUrgency, isHeld, type Portion, portionsOf } from './rules.ts'
import { collectionNotes, ledgerEntries } from './table.ts'

/** A page of patients with a balance, in the order of `readOutstanding`, with the total outstanding across all pages. */
export async function listOutstanding(scope: Scope, { page, limit, ...filters }: OutstandingFilters & { page: number; limit: number }) {
  const { age, ...others } = filters
  const { outstanding: all, open, today } = await readOutstanding(scope, others)
  const outstanding = all.filter(isOfAge(age))
  const data = outstanding.slice((page - 1) * limit, page * limit)
  if (data.length > 0) await scope.recordView({ kind: 'ledger', contactIds: data.map(({ contact }) => contact.id) })
  return numberedPage({ data, total: outstanding.length, balanceCents: sumOf(open), ageing: ageingOf(open, today) }, { page, limit })
}

/** All patients with a balance, the most days late first, then those not late by urgency, and their open portions. */
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
  const rows = all.map((account) => ({ ...account, nextDueOn: account.portions.map(({ dueOn }) => dueOn).toSorted()[0]! }))
  const lateSince = ({ nextDueOn }: (typeof rows)[number]) => (nextDueOn < today ? nextDueOn : today)
  rows.sort((a, b) => lateSince(a).localeCompare(lateSince(b)) || byUrgency(a.portions[0]!, b.portions[0]!))
  const outstanding = rows.map(({ portions, ...account }): OutstandingRow => ({
    ...account,
    balanceCents: sumOf(portions),
    ageing: ageingOf(portions, today),
    beforeSurgeryCents: sumOf(portions.filter(({ isBeforeSurgery }) => isBeforeSurgery)),
  }))
  return { outstanding: outstanding.filter(isOfAge(age)), open: all.flatMap(({ portions }) => portions), today }
}

/** Keeps patients with an amount in this ageing bucket; everyone when no bucket is given. */
const isOfAge =
  (age: OutstandingFilters['age']) =>
  ({ ageing }: OutstandingRow): boolean =>
    age === undefined || ageing[age] > 0

const sumOf = (portions: readonly Portion[]): number => portions.reduce((sum, { openCents }) => sum + openCents, 0)

interface OpenBalance {
  portions: Portion[]
  /** The surgery is on hold until all of it is paid, whatever the due dates. */
  isHeld: boolean
}

/** Open portions by patient. Patients who were never charged have no entry. */
export async function owedByContacts(db: Db, env: Scope['env'], contactIds: readonly string[]): Promise<Map<string, OpenBalance>> {
  const ids = [...contactIds]
  const [entries, notes, surgeryDays] = await Promise.all([
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, ids)),
    notesOf(db, inArray(collectionNotes.contactId, ids)),
    surgeryDaysOf(db, env, inArray(ledgerEntries.contactId, ids)),
  ])
  const entriesByContact = Map.groupBy(entries, ({ contactId }) => contactId)
  return new Map(
    [...entriesByContact].map(([id, own]) => {
      const portions = chargesOf(own, surgeryDays).flatMap(portionsOf)
      return [id, { portions, isHeld: isHeld(notes.get(id) ?? [], sumOf(portions)) }]
    }),
  )
}

/** Collection notes by patient, newest first. */
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

/** Each patient's next surgery, otherwise their last one: its procedure names and its day in the practice's time zone. */
async function surgeriesOf({ db, env, now }: Scope, condition: SQL) {
  const rows = await db
    .select({ contactId: surgeries.contactId, procedures: surgeries.procedures, startsAt: surgeries.startsAt })
    .from(surgeries)
    .where(and(condition, inArray(surgeries.status, [...blockingStatuses])))
    .orderBy(asc(surgeries.startsAt), asc(surgeries.id))
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const planned = rows.map(({ contactId, startsAt, procedures: names }) => ({
    contactId,
    name: names.map(({ name }) => name).join(', '),
    surgeryDay: dayAt(startsAt, env.PRACTICE_TIME_ZONE),
  }))
  return new Map(
    [...Map.groupBy(planned, ({ contactId }) => contactId)].map(([id, own]) => {
      const { name, surgeryDay } = own.find((surgery) => surgery.surgeryDay >= today) ?? own.at(-1)!
      return [id, { name, surgeryDay }]
    }),
  )
}

/** Patients with open charges, and those charges. A clinic has few open charges compared to its patients, so all are read. */
async function openAccounts(scope: Scope, condition: SQL | undefined) {
  const { db, env } = scope
  const debtorIds = debtors(db)
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
      .where(and(inArray(contacts.id, debtorIds), condition)),
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, debtorIds)),
    notesOf(db, inArray(collectionNotes.contactId, debtorIds)),
    surgeryDaysOf(db, env, inArray(ledgerEntries.contactId, debtorIds)),
    surgeriesOf(scope, inArray(surgeries.contactId, debtorIds)),
  ])
  const entriesByContact = Map.groupBy(entries, ({ contactId }) => contactId)
  return people.map(({ id, firstName, lastName, lastContactDate, ownerId, interest }) => {
    const ownNotes = notes.get(id) ?? []
    const promise = ownNotes.find(({ kind }) => kind === 'promise')
    const ownCharges = chargesOf(entriesByContact.get(id) ?? [], surgeryDays)
    const portions = ownCharges.flatMap(portionsOf).toSorted(byUrgency)
    const descriptions = new Map(ownCharges.map(({ entry }) => [entry.id, entry.description]))
    return {
      contact: { id, firstName, lastName },
      charges: [...new Set(portions.map(({ chargeId }) => chargeId))].map((chargeId) => descriptions.get(chargeId)!),
      procedure: cases.get(id) ?? (interest ? { name: interest, surgeryDay: null } : null),
      portions,
      isHeld: isHeld(ownNotes, sumOf(portions)),
      promise: promise ? { amountCents: promise.amountCents, dueOn: promise.dueOn } : null,
      lastContactDate,
      ownerId,
    }
  })
}

/** Which of these patients owe money. They can't be deleted. */
export async function outstandingAmong(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: ledgerEntries.contactId })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.contactId, [...ids]))
    .groupBy(ledgerEntries.contactId)
    .having(sql`sum(${ledgerEntries.amountCents}) > 0`)
  return new Set(rows.map(({ id }) => id))
}
