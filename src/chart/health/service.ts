import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { publish } from '../../kernel/events/events.ts'
import { maySee } from '../../kernel/access/information.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { readOfPatient, writeColumns } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type Health, healthMessages } from './contract.ts'
import { mayReviewSection, mayWriteEntry, seesEntry, seesSection } from './policy.ts'
import {
  chartedWeightLoss,
  type EntryKind,
  type EntryStatus,
  firstStatus,
  formatAllergies,
  formatMedications,
  hasWeightLoss,
  heldNegatives,
  maxRows,
  type Measured,
  misplacedFields,
  type NegativeTopic,
  type Section,
  sectionKinds,
  type Severity,
} from './rules.ts'
import { healthEntries, healthReviews, measurements } from './table.ts'

type Contact = typeof contacts.$inferSelect
type Entry = typeof healthEntries.$inferSelect

/** What this person may see of a patient's health summary; the view is audited. Null: the patient does not exist. */
export const getHealth = (scope: Scope, contactId: string): Promise<Health | null> =>
  readOfPatient(scope, 'health summary', contactId, loadHealth(scope.db, scope.actor, contactId))

const ofContact = sql.placeholder('contactId')
const entriesOf = prepared((db) =>
  db.select().from(healthEntries).where(eq(healthEntries.contactId, ofContact)).orderBy(healthEntries.id).prepare('health-entries'),
)
const lastReviewsOf = prepared((db) =>
  db
    .selectDistinctOn([healthReviews.section, healthReviews.topic])
    .from(healthReviews)
    .where(eq(healthReviews.contactId, ofContact))
    .orderBy(healthReviews.section, asc(healthReviews.topic), desc(healthReviews.reviewedAt))
    .prepare('health-reviews'),
)
const measurementsOf = prepared((db) =>
  db
    .select()
    .from(measurements)
    .where(eq(measurements.contactId, ofContact))
    .orderBy(desc(measurements.measuredOn), desc(measurements.id))
    .prepare('measurements'),
)

export async function loadHealth(db: Db, actor: Actor | null, contactId: string): Promise<Health> {
  const [entries, reviews, measured] = await Promise.all([
    entriesOf(db).execute({ contactId }),
    lastReviewsOf(db).execute({ contactId }),
    maySee(actor, 'healthSummary') ? measurementsOf(db).execute({ contactId }) : [],
  ])
  const seen = reviews.filter(({ section }) => seesSection(actor, section))
  const negatives = seen.flatMap(({ topic, statement, ...review }) => (topic && statement ? [{ ...review, topic, statement }] : []))
  return {
    entries: entries.filter((entry) => seesEntry(actor, entry)),
    reviews: seen.filter(({ topic }) => topic === null),
    negatives: heldNegatives(negatives, entries),
    measurements: measured,
  }
}

interface EntryFields {
  name: string
  detail: string | null
  severity: Severity | null
  dose: string | null
  stopDays: number | null
  isWeightLoss: boolean
  year: number | null
  anaesthesia: string | null
}

/** Adds an entry. Null: the patient does not exist. */
export async function addEntry(scope: Scope, { contactId, ...given }: EntryFields & { contactId: string; kind: EntryKind }) {
  if (!mayWriteEntry(scope.actor, given.kind)) return refuse('FORBIDDEN')
  if (isFuture(scope, given.year)) return invalidReference({ year: healthMessages.future })
  return scope.db.transaction(async (tx) => {
    const contact = await lockContact(tx, contactId)
    if (!contact) return null
    if ((await tx.$count(healthEntries, eq(healthEntries.contactId, contactId))) >= maxRows) return refuse('FULL')
    await insertEntry(tx, scope, contact, given)
    return finish(tx, scope, contactId)
  })
}

/** The form that an entry comes from. */
type Source = Pick<typeof healthEntries.$inferInsert, 'source' | 'sourceId'>

/** Adds an entry to the chart of a locked patient, in another change, which has checked it and publishes it. Returns its id. */
export async function insertEntry(
  tx: Db,
  scope: Scope,
  contact: Contact,
  given: EntryFields & Source & { kind: EntryKind },
): Promise<string> {
  const [by, at] = [scope.actor?.id ?? null, scope.now()]
  const contactId = contact.id
  const status = firstStatus(given.kind)
  const [after] = await tx
    .insert(healthEntries)
    .values({ ...given, contactId, status, createdBy: by, createdAt: at, updatedBy: by, updatedAt: at })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'health entry', contactIds: [contactId], after })
  if (after!.isWeightLoss) await updateWeightLoss(tx, scope, contact)
  return after!.id
}

/** Ends an active entry of a locked patient's chart, in another change, which publishes it. One that someone has ended before stays as it is. */
export async function endEntry(
  tx: Db,
  scope: Scope,
  contact: Contact,
  id: string,
  ended: { status: 'past' | 'entered_in_error'; errorReason: string | null },
): Promise<void> {
  const isActive = and(eq(healthEntries.id, id), eq(healthEntries.contactId, contact.id), eq(healthEntries.status, 'active'))
  const [after] = await tx
    .update(healthEntries)
    .set({ ...ended, version: sql`${healthEntries.version} + 1`, updatedBy: scope.actor?.id ?? null, updatedAt: scope.now() })
    .where(isActive)
    .returning()
  if (!after) return
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'health entry',
    contactIds: [contact.id],
    before: { id, kind: after.kind, status: 'active' },
    after: { id, kind: after.kind, ...ended },
  })
}

/** How many more entries and measurements the chart of a patient takes. */
export async function roomFor(tx: Db, contactId: string): Promise<{ entries: number; measurements: number }> {
  const entries = await tx.$count(healthEntries, eq(healthEntries.contactId, contactId))
  const measured = await tx.$count(measurements, eq(measurements.contactId, contactId))
  return { entries: maxRows - entries, measurements: maxRows - measured }
}

type EntryChange = { [Field in keyof EntryFields]?: EntryFields[Field] | undefined } & {
  id: string
  version: number
  status?: EntryStatus | undefined
  errorReason?: string | null | undefined
}

/** Changes an entry or its status, unless someone else has changed it since `version`. Null: the entry does not exist. */
export async function changeEntry(scope: Scope, { id, version, ...given }: EntryChange) {
  return scope.db.transaction(async (tx) => {
    const locked = await lockEntry(tx, id)
    if (!locked) return null
    const { contact, entry: before } = locked
    const { kind } = before
    if (!mayWriteEntry(scope.actor, kind)) return refuse('FORBIDDEN')
    const misplaced = misplacedFields(kind, given)
    if (misplaced.length > 0) return invalidReference(Object.fromEntries(misplaced.map((field) => [field, healthMessages.misplaced])))
    if (isFuture(scope, given.year)) return invalidReference({ year: healthMessages.future })
    if (before.version !== version) {
      await recordChange(tx, scope, { action: 'viewed', kind: 'health summary', contactIds: [contact.id] })
      return refuse('CONFLICT', { current: before })
    }
    const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Entry>
    const changes = difference(before, { ...before, ...stated, ...(given.status && { errorReason: given.errorReason ?? null }) })
    if (Object.keys(changes.after).length === 0) return loadHealth(tx, scope.actor, contact.id)
    const [after] = await tx
      .update(healthEntries)
      .set({ ...changes.after, version: version + 1, updatedBy: staff(scope).id, updatedAt: scope.now() })
      .where(eq(healthEntries.id, id))
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'health entry',
      contactIds: [contact.id],
      before: { id, kind, ...changes.before },
      after: { id, kind, ...changes.after },
    })
    if (before.isWeightLoss || after!.isWeightLoss) await updateWeightLoss(tx, scope, contact)
    return finish(tx, scope, contact.id)
  })
}

/** Confirms a section as it is now. Null: the patient does not exist. */
export async function reviewSection(scope: Scope, { contactId, section }: { contactId: string; section: Section }) {
  if (!mayReviewSection(scope.actor, section)) return refuse('FORBIDDEN')
  return scope.db.transaction(async (tx) => {
    if (!(await lockContact(tx, contactId))) return null
    await insertReview(tx, scope, contactId, { section })
    return finish(tx, scope, contactId)
  })
}

interface NewReview extends Partial<Source> {
  section: Section
  /** What the patient does not have, if the review is about that alone. */
  negative?: { topic: NegativeTopic; statement: string }
}

/** Confirms a section, or one negative, in the chart of a locked patient, in another change, which publishes it. */
export async function insertReview(tx: Db, scope: Scope, contactId: string, { section, negative, ...source }: NewReview): Promise<void> {
  const isOfSection = inArray(healthEntries.kind, [...sectionKinds[section]])
  const activeEntries = await tx.$count(
    healthEntries,
    and(eq(healthEntries.contactId, contactId), isOfSection, eq(healthEntries.status, 'active')),
  )
  const [after] = await tx
    .insert(healthReviews)
    .values({ contactId, section, activeEntries, ...negative, ...source, reviewedBy: staff(scope).id, reviewedAt: scope.now() })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'health review', contactIds: [contactId], after })
  // The checklists of the patient's surgeries follow reviews, and more people see those than the chart.
  await publish(tx, 'contact', contactId)
}

/** Adds measurements of one day. Null: the patient does not exist. */
export async function addMeasurement(scope: Scope, { contactId, ...given }: Measured & { contactId: string; measuredOn: string }) {
  if (given.measuredOn > today(scope)) return invalidReference({ measuredOn: healthMessages.future })
  return scope.db.transaction(async (tx) => {
    if (!(await lockContact(tx, contactId))) return null
    if ((await tx.$count(measurements, eq(measurements.contactId, contactId))) >= maxRows) return refuse('FULL')
    await insertMeasurement(tx, scope, contactId, given)
    return finish(tx, scope, contactId)
  })
}

/** Adds measurements to the chart of a locked patient, in another change, which has checked them and publishes it. */
export async function insertMeasurement(
  tx: Db,
  scope: Scope,
  contactId: string,
  given: Measured & Source & { measuredOn: string },
): Promise<void> {
  const [after] = await tx
    .insert(measurements)
    .values({ ...given, contactId, measuredBy: staff(scope).id, createdAt: scope.now() })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'measurement', contactIds: [contactId], after })
}

const today = ({ now, env }: Scope): string => dayAt(now(), env.PRACTICE_TIME_ZONE)
const isFuture = (scope: Scope, year: number | null | undefined): boolean => (year ?? 0) > Number(today(scope).slice(0, 4))

export async function lockContact(tx: Db, id: string): Promise<Contact | null> {
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('no key update')
  return contact ?? null
}

/** Locks the patient first, as merges and deletions do. Retries if a merge has just moved the entry to another patient. */
async function lockEntry(tx: Db, id: string): Promise<{ contact: Contact; entry: Entry } | null> {
  const [unlocked] = await tx.select({ contactId: healthEntries.contactId }).from(healthEntries).where(eq(healthEntries.id, id))
  if (!unlocked) return null
  const contact = await lockContact(tx, unlocked.contactId)
  const [entry] = await tx.select().from(healthEntries).where(eq(healthEntries.id, id)).for('no key update')
  if (!entry) return null
  return contact && entry.contactId === contact.id ? { contact, entry } : lockEntry(tx, id)
}

/** Publishes the change to those who may see allergies and alerts, and loads the health summary for the response. */
async function finish(tx: Db, scope: Scope, contactId: string): Promise<Health> {
  await publish(tx, 'chart', contactId)
  return loadHealth(tx, scope.actor, contactId)
}

/** After a change of a weight-loss medication: the record says that the chart lists one, and nothing when the last of them has ended. */
async function updateWeightLoss(tx: Db, scope: Scope, contact: Contact): Promise<void> {
  const changed = await weightLossChanges(tx, contact)
  const isEnded = changed.weightLossFromChart === false
  if (Object.keys(changed).length > 0)
    await writeColumns(tx, scope, contact, { ...changed, ...(isEnded && { weightLossMedication: null }) })
}

/**
 * The changes that a locked patient's record needs to say that the chart lists active weight-loss medications (spec 3). Without any, its text
 * stays and is no longer the chart's: someone typed it, or the undo of a merge restored it.
 */
export async function weightLossChanges(
  tx: Db,
  { id, weightLossMedication, weightLossFromChart }: Pick<Contact, 'id' | 'weightLossMedication' | 'weightLossFromChart'>,
): Promise<Partial<Pick<Contact, 'weightLossMedication' | 'weightLossFromChart'>>> {
  if (!hasWeightLoss(await medicationsOf(tx, [id]))) return weightLossFromChart ? { weightLossFromChart: false } : {}
  if (weightLossFromChart && weightLossMedication === chartedWeightLoss) return {}
  return { weightLossMedication: chartedWeightLoss, weightLossFromChart: true }
}

/** The active medications of these patients, in the order in which they were added. */
export const medicationsOf = (db: Db, contactIds: readonly string[]): Promise<Entry[]> =>
  db
    .select()
    .from(healthEntries)
    .where(and(inArray(healthEntries.contactId, [...contactIds]), eq(healthEntries.kind, 'medication'), eq(healthEntries.status, 'active')))
    .orderBy(healthEntries.id)

/** A patient's allergies and medications as text, for a clinical note. */
export async function healthTexts(db: Db, contactId: string): Promise<{ allergies: string; medications: string }> {
  // As the system: everyone who may write clinical notes sees the whole summary.
  const { entries, reviews } = await loadHealth(db, null, contactId)
  const lastReview = (section: Section) => reviews.find((review) => review.section === section)
  return {
    allergies: formatAllergies(entries, lastReview('allergies')),
    medications: formatMedications(entries, lastReview('medications')),
  }
}

/** All reviews of sections of these patients' health summaries. */
export const reviewsOf = (db: Db, contactIds: readonly string[]) =>
  db
    .select({ contactId: healthReviews.contactId, section: healthReviews.section, reviewedAt: healthReviews.reviewedAt })
    .from(healthReviews)
    .where(and(inArray(healthReviews.contactId, [...contactIds]), isNull(healthReviews.topic)))
