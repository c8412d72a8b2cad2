import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { readOfPatient, writeChange } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addTask } from '../tasks/service.ts'
import { referralLimits, type Referrals, referralMessages } from './contract.ts'
import { referrals } from './table.ts'

const theirs = alias(referrals, 'theirs')

type Side = typeof referrals.$inferSelect.side

/** The patients on one side of the referrals in which this patient is on the other, newest first. After a merge the two may be the same. */
const othersOf = (db: Db, contactId: string, side: Side) =>
  db
    .select({
      id: contacts.id,
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(referrals)
    .innerJoin(theirs, and(eq(theirs.referralId, referrals.referralId), eq(theirs.side, side), ne(theirs.contactId, referrals.contactId)))
    .innerJoin(contacts, eq(contacts.id, theirs.contactId))
    .where(and(eq(referrals.contactId, contactId), ne(referrals.side, side)))
    .orderBy(desc(referrals.createdAt), desc(referrals.id))
    .limit(referralLimits.maxReferred)

async function read(db: Db, contactId: string): Promise<Referrals> {
  const [[referrer], referred] = await Promise.all([othersOf(db, contactId, 'referrer'), othersOf(db, contactId, 'referred')])
  return { referrer: referrer ?? null, referred, total: referred[0]?.total ?? 0 }
}

/** Who referred a patient, and whom the patient referred. Null: the patient does not exist. */
export const referralsOf = (scope: Scope, contactId: string): Promise<Referrals | null> =>
  readOfPatient(scope, 'contact', contactId, read(scope.db, contactId))

interface NewReferrer {
  contactId: string
  patientId: string | null
  name: string | null
  createTask: boolean
}

/**
 * Records the patient who referred this one, or the name of a practice or person, in place of what was recorded before. The owner gets a task to
 * thank the referrer, unless nothing has changed. Null: the patient does not exist.
 */
export async function setReferrer(scope: Scope, { contactId, patientId, name, createTask }: NewReferrer) {
  return scope.db.transaction(async (tx) => {
    const rows = await lockPatients(tx, patientId === null ? [contactId] : [contactId, patientId])
    const [patient, referrer] = [rows.find(({ id }) => id === contactId), rows.find(({ id }) => id === patientId)]
    if (!patient) return null
    if (patientId === contactId) return invalidReference({ patientId: referralMessages.self })
    if (patientId !== null && !referrer) return invalidReference({ patientId: referralMessages.patient })
    const before = await read(tx, contactId)
    const isKnown = referrer ? before.referrer?.id === patientId : before.referrer === null && patient.referredBy === name
    if (isKnown) return before

    await removeRows(tx, contactId)
    if (referrer) await addRows(tx, scope, contactId, referrer.id)
    else await writeChange(tx, scope, patient, { referredBy: name })
    if (referrer || before.referrer) await recordReferral(tx, scope, contactId, before.referrer?.id ?? null, patientId)
    if (createTask) await thank(tx, scope, patient, referrer ?? null, name)
    return read(tx, contactId)
  })
}

/** Removes the patient who referred this one; a name stays on the record. Null: the patient does not exist. */
export async function removeReferrer(scope: Scope, contactId: string): Promise<Referrals | null> {
  return scope.db.transaction(async (tx) => {
    const [patient] = await lockPatients(tx, [contactId])
    if (!patient) return null
    const { referrer } = await read(tx, contactId)
    await removeRows(tx, contactId)
    if (referrer) await recordReferral(tx, scope, contactId, referrer.id, null)
    return read(tx, contactId)
  })
}

type Patient = typeof contacts.$inferSelect

/** In the order in which merges and bulk changes lock them. Two people who record a referrer of one patient wait for each other here. */
const lockPatients = (tx: Db, ids: string[]): Promise<Patient[]> =>
  tx.select().from(contacts).where(inArray(contacts.id, ids)).orderBy(contacts.id).for('update')

async function removeRows(tx: Db, contactId: string): Promise<void> {
  const own = tx
    .select({ id: referrals.referralId })
    .from(referrals)
    .where(and(eq(referrals.contactId, contactId), eq(referrals.side, 'referred')))
  await tx.delete(referrals).where(inArray(referrals.referralId, own))
}

async function addRows(tx: Db, { actor, now }: Scope, contactId: string, referrerId: string): Promise<void> {
  const both = { referralId: uuidv7(), createdAt: now(), createdBy: actor?.id ?? null }
  await tx.insert(referrals).values([
    { ...both, contactId, side: 'referred' },
    { ...both, contactId: referrerId, side: 'referrer' },
  ])
}

async function recordReferral(tx: Db, scope: Scope, contactId: string, before: string | null, after: string | null): Promise<void> {
  const contactIds = [contactId, ...[before, after].filter((id) => id !== null)]
  await recordChange(tx, scope, {
    action: after === null ? 'deleted' : before === null ? 'created' : 'changed',
    kind: 'referral',
    contactIds,
    ...(before !== null && { before: { referrerId: before } }),
    ...(after !== null && { after: { referrerId: after } }),
  })
  for (const id of contactIds) await publish(tx, 'contact', id)
}

/** The longest title of a task. */
const maxTitle = 200

/** The task is about the patient who is thanked, or without one about the patient who was referred. It does not say who was referred. */
async function thank(tx: Db, scope: Scope, patient: Patient, referrer: Patient | null, name: string | null): Promise<void> {
  const [first, ...others] = [referrer?.assignedSalesRepId, patient.assignedSalesRepId, scope.actor?.id].filter((id) => id != null)
  if (first === undefined) return
  const hours = await tx.select().from(practiceHours)
  const whom = referrer ? `${referrer.firstName} ${referrer.lastName}` : name
  await addTask(tx, scope, {
    title: `Thank ${whom} for a referral`.slice(0, maxTitle).toWellFormed(),
    description: 'Do not say whether the person who was referred has come to the practice: only they may say so.',
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId: referrer?.id ?? patient.id,
    people: [first, ...others],
  })
}
