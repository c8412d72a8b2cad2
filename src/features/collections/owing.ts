import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import type { Scope } from '../../server/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../contacts/table.ts'
import { type Owing, type OwingFilters, owingPage } from './contract.ts'
import { chargesOf } from './ledger.ts'
import { type Ageing, ageingOf, byUrgency, isHeld, type Portion, portionsOf } from './rules.ts'
import { collectionNotes, ledgerEntries } from './table.ts'

/** Everybody who owes, the most urgent first, a page at a time, and what all of them owe together. */
export async function listOwing(scope: Scope, { page, ...filters }: OwingFilters & { page: number }) {
  const { owing, open, today } = await readOwing(scope, filters)
  const data = owing.slice((page - 1) * owingPage, page * owingPage)
  if (data.length > 0) await scope.recordView({ kind: 'ledger', contactIds: data.map(({ contact }) => contact.id) })
  return { data, total: owing.length, balanceCents: sumOf(open), ageing: ageingOf(open, today) satisfies Ageing }
}

/** Everybody who owes, the most urgent first, and all that is open of them. */
export async function readOwing(scope: Scope, { show, ownerId }: OwingFilters) {
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
  return { owing, open: all.flatMap(({ portions }) => portions), today }
}

const sumOf = (portions: readonly Portion[]): number => portions.reduce((sum, { openCents }) => sum + openCents, 0)

interface Owed {
  portions: Portion[]
  /** Their surgery waits for all of it, whatever is due when. */
  isHeld: boolean
}

/** What is open of each of these patients; of whoever was never charged there is no entry. */
export async function owedByContacts(db: Db, contactIds: readonly string[]): Promise<Map<string, Owed>> {
  const ids = [...contactIds]
  const [entries, notes] = await Promise.all([
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, ids)),
    notesOf(db, inArray(collectionNotes.contactId, ids)),
  ])
  const entriesOf = Map.groupBy(entries, ({ contactId }) => contactId)
  return new Map(
    [...entriesOf].map(([id, mine]) => {
      const portions = chargesOf(mine).flatMap(portionsOf)
      return [id, { portions, isHeld: isHeld(notes.get(id) ?? [], sumOf(portions)) }]
    }),
  )
}

/** What was agreed with patients, by patient, the latest first. */
async function notesOf(db: Db, condition: SQL) {
  const notes = await db.select().from(collectionNotes).where(condition).orderBy(desc(collectionNotes.createdAt), desc(collectionNotes.id))
  return Map.groupBy(notes, ({ contactId }) => contactId)
}

/** Patients of whom something is open, with that. The open charges of a clinic are few beside its patients. */
async function openAccounts({ db }: Scope, condition: SQL | undefined) {
  const owing = db
    .select({ id: ledgerEntries.contactId })
    .from(ledgerEntries)
    .groupBy(ledgerEntries.contactId)
    .having(sql`sum(${ledgerEntries.amountCents}) > 0`)
  const [people, entries, notes] = await Promise.all([
    db
      .select({
        id: contacts.id,
        firstName: contacts.firstName,
        lastName: contacts.lastName,
        lastContactDate: contacts.lastContactDate,
        ownerId: contacts.assignedSalesRepId,
      })
      .from(contacts)
      .where(and(inArray(contacts.id, owing), condition)),
    db.select().from(ledgerEntries).where(inArray(ledgerEntries.contactId, owing)),
    notesOf(db, inArray(collectionNotes.contactId, owing)),
  ])
  const entriesOf = Map.groupBy(entries, ({ contactId }) => contactId)
  return people.map(({ id, firstName, lastName, lastContactDate, ownerId }) => {
    const mine = notes.get(id) ?? []
    const promise = mine.find(({ kind }) => kind === 'promise')
    const portions = chargesOf(entriesOf.get(id) ?? [])
      .flatMap(portionsOf)
      .toSorted(byUrgency)
    return {
      contact: { id, firstName, lastName },
      portions,
      isHeld: isHeld(mine, sumOf(portions)),
      promise: promise ? { amountCents: promise.amountCents, dueOn: promise.dueOn } : null,
      lastContactDate,
      ownerId,
    }
  })
}
