import { createHash } from 'node:crypto'
import { asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type Health, newMeasurement } from '../health/contract.ts'
import { allergyState, hasField, hasNoMedication, latestValues, type NegativeTopic, type Severity } from '../health/rules.ts'
import { insertEntry, insertMeasurement, insertReview, loadHealth, lockContact, roomFor } from '../health/service.ts'
import { type FormReview, maxToReview, reviewMessages } from './contract.ts'
import {
  type ChartNow,
  chartTexts,
  isFor,
  keyOf,
  type Proposal,
  proposalsOf,
  type ReviewedColumn,
  reviewedColumns,
  stateOf,
  targetOf,
  topicOf,
  yearIn,
} from './review-rules.ts'
import { valueOf } from './value-rules.ts'
import { allQuestions } from './rules.ts'
import { findForm, type FormRow, toSentForm } from './sending.ts'
import { formDecisions, formReviews, forms, formVersions } from './table.ts'

type Contact = typeof contacts.$inferSelect
type Found = NonNullable<Awaited<ReturnType<typeof findForm>>>
type DecisionRow = typeof formDecisions.$inferSelect

/** A submitted form beside the chart: what each answer would change, and what was decided. Null: no such form. */
export async function getReview(scope: Scope, id: string) {
  const found = await findForm(scope.db, id)
  if (!found) return null
  if (found.form.status !== 'submitted') return refuse('NOT_SUBMITTED')
  await scope.recordView({ kind: 'form', contactIds: [found.form.contactId] })
  const [contact] = await scope.db.select().from(contacts).where(eq(contacts.id, found.form.contactId))
  return readReview(scope.db, scope, found, contact!)
}

async function readReview(db: Db, scope: Scope, found: Found, contact: Contact): Promise<FormReview> {
  const { form, version, review } = found
  const chart = await chartNow(db, contact)
  const decisions = await db.select().from(formDecisions).where(eq(formDecisions.formId, form.id))
  const labels = new Map(allQuestions(version.definition).map(({ id, label }) => [id, label.en]))
  const items = proposalsOf(version.definition, form.answers).map((proposal) => {
    const texts = chartTexts(proposal.field, chart)
    return {
      ...proposal,
      label: labels.get(proposal.question)!,
      chart: texts,
      seen: fingerprint(texts),
      state: stateOf(proposal, chart),
      decision: decisions.find((one) => isOf(one, proposal)) ?? null,
    }
  })
  return {
    ...toSentForm(scope, found),
    redFlags: form.redFlags,
    items,
    reviewedAt: review?.reviewedAt ?? null,
    reviewedBy: review?.reviewedBy ?? null,
  }
}

const isOf = (decision: DecisionRow, { question, part }: Pick<Proposal, 'question' | 'part'>) =>
  decision.question === question && decision.part === part

/** What the chart said, short enough to be sent back with a decision. */
const fingerprint = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)

async function chartNow(db: Db, contact: Contact): Promise<ChartNow> {
  // As the system: everyone who may review answers sees the whole summary.
  const health = await loadHealth(db, null, contact.id)
  const { heightCm, weightKg } = latestValues(health.measurements)
  const columns = Object.fromEntries(reviewedColumns.map((column) => [column, contact[column]])) as ChartNow['contact']
  return { entries: health.entries, none: noneOf(health), heightCm, weightKg, contact: columns }
}

/** What the chart says that there is none of. */
function noneOf({ entries, reviews, negatives }: Health): ChartNow['none'] {
  const last = (section: 'allergies' | 'medications') => reviews.find((review) => review.section === section)
  return [
    ...negatives,
    ...(allergyState(entries, last('allergies')) === 'none_known'
      ? [{ topic: 'allergies' as const, statement: 'No known allergies' }]
      : []),
    ...(hasNoMedication(entries, last('medications')) ? [{ topic: 'medications' as const, statement: 'Takes no medication' }] : []),
  ]
}

export interface Decision {
  question: string
  part: number
  decision: 'accepted' | 'kept'
  /** What the chart said when it was read. */
  seen: string
  /** Instead of the proposed text. */
  text?: string | undefined
  severity?: Severity | null | undefined
  stopDays?: number | null | undefined
  isWeightLoss?: boolean | undefined
}

/**
 * Decides about answers, all of these or none: accepted ones are written to the chart or the record. Of two
 * decisions about an answer, the first counts. CHANGED: the chart has changed since it was read, with what it says now. Null: no such form.
 */
export const decideReview = (scope: Scope, { id, decisions: given }: { id: string; decisions: readonly Decision[] }) =>
  transact(scope.db, async (tx) => {
    const locked = await lockForm(tx, id)
    if (!locked) return null
    const { found, contact } = locked
    if (found.form.status !== 'submitted') return refuse('NOT_SUBMITTED')
    const before = await readReview(tx, scope, found, contact)
    const made: { decision: Decision; item: FormReview['items'][number] }[] = []
    for (const decision of given) {
      const item = before.items.find((one) => one.question === decision.question && one.part === decision.part)
      if (!item) return invalidReference({ decisions: reviewMessages.unknown })
      // Repeated, or someone else was first.
      if (item.decision) continue
      if (item.seen !== decision.seen) return refuse('CHANGED', { current: before })
      made.push({ decision, item })
    }
    if (made.length === 0) return before
    const plan = planWrites(
      scope,
      found.form,
      contact,
      made.filter(({ decision }) => decision.decision === 'accepted'),
    )
    if ('fields' in plan) return invalidReference(plan.fields)
    const room = await roomFor(tx, contact.id)
    if (plan.entries.length > room.entries || (plan.measured && room.measurements < 1)) return refuse('FULL')

    const source = { source: 'form', sourceId: id } as const
    for (const entry of plan.entries) await insertEntry(tx, scope, contact, { ...entry, ...source })
    for (const review of plan.reviews) await insertReview(tx, scope, contact.id, { ...review, ...source })
    if (plan.measured) await insertMeasurement(tx, scope, contact.id, { ...plan.measured, ...source })
    if (Object.keys(plan.columns).length > 0) {
      // A weight-loss medication has changed the record already.
      const [fresh] = await tx.select().from(contacts).where(eq(contacts.id, contact.id))
      await writeChange(tx, scope, fresh!, plan.columns)
    }
    const [by, at] = [staff(scope).id, scope.now()]
    await tx.insert(formDecisions).values(
      made.map(({ decision: { question, part, decision, text }, item }) => ({
        formId: id,
        question,
        part,
        decision,
        text: decision === 'accepted' ? ((item.isNone ? null : text) ?? item.text) : null,
        decidedBy: by,
        decidedAt: at,
      })),
    )
    const decided = made.map(({ decision: { question, part, decision } }) => ({ question, part, decision }))
    await recordChange(tx, scope, { action: 'changed', kind: 'form', contactIds: [contact.id], after: { id, decided } })
    const after = await readReview(tx, scope, found, (await lockContact(tx, contact.id))!)
    if (after.items.every(({ state, decision }) => decision !== null || state === 'same')) await finishReview(tx, scope, found.form)
    await publish(tx, 'form', id)
    await publish(tx, 'chart', contact.id)
    return readReview(tx, scope, (await findForm(tx, id))!, (await lockContact(tx, contact.id))!)
  })

/** Locks the patient first, as merges and deletions do. Retries if a merge has just moved the form to another patient. */
async function lockForm(tx: Db, id: string): Promise<{ found: Found; contact: Contact } | null> {
  const [unlocked] = await tx.select({ contactId: forms.contactId }).from(forms).where(eq(forms.id, id))
  if (!unlocked) return null
  const contact = await lockContact(tx, unlocked.contactId)
  await tx.select({ id: forms.id }).from(forms).where(eq(forms.id, id)).for('update')
  const found = await findForm(tx, id)
  if (!found) return null
  return contact && found.form.contactId === contact.id ? { found, contact } : lockForm(tx, id)
}

type Entry = Omit<Parameters<typeof insertEntry>[3], 'source' | 'sourceId'>
interface Plan {
  entries: Entry[]
  /** That there are no allergies or medications, or no entry on a topic of the history. */
  reviews: { section: 'allergies' | 'medications' | 'history'; negative?: { topic: NegativeTopic; statement: string } }[]
  measured: Parameters<typeof insertMeasurement>[3] | null
  columns: Partial<Record<ReviewedColumn, string | null>>
}

/** What accepting writes; the answers that cannot be written as they are, with the reason, by `keyOf`. */
function planWrites(
  scope: Scope,
  form: FormRow,
  contact: Contact,
  accepted: readonly { decision: Decision; item: FormReview['items'][number] }[],
): Plan | { fields: Record<string, string> } {
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  const plan: Plan = { entries: [], reviews: [], measured: null, columns: {} }
  const fields: Record<string, string> = {}
  const measured: Partial<Record<'heightCm' | 'weightKg', number>> = {}
  // The patient, not the clinic, has measured, before the form was submitted.
  const measuredOn = dayAt(form.submittedAt!, scope.env.PRACTICE_TIME_ZONE)
  for (const { decision, item } of accepted) {
    // Nothing to write, but decided.
    if (item.state === 'same') continue
    const text = decision.text ?? item.text
    const target = targetOf(item.field)
    const refuse = (message: string) => {
      fields[keyOf(item)] = message
    }
    if (item.isNone) {
      const topic = topicOf(item.field)
      const isAllergy = target.to === 'entry' && target.kind === 'allergy'
      if (item.state === 'contradiction') refuse(reviewMessages.contradiction)
      else if (topic) plan.reviews.push({ section: 'history', negative: { topic, statement: item.text } })
      else plan.reviews.push({ section: isAllergy ? 'allergies' : 'medications' })
    } else if (target.to === 'entry') {
      const { kind } = target
      const year = hasField(kind, 'year') ? yearIn(text) : null
      plan.entries.push({
        kind,
        name: text,
        detail: null,
        severity: hasField(kind, 'severity') ? (decision.severity ?? null) : null,
        dose: null,
        stopDays: hasField(kind, 'stopDays') ? (decision.stopDays ?? null) : null,
        isWeightLoss: hasField(kind, 'isWeightLoss') && (decision.isWeightLoss ?? target.isWeightLoss ?? false),
        year: year !== null && year > Number(today.slice(0, 4)) ? null : year,
        anaesthesia: null,
      })
    } else {
      const value = valueOf(item.field, text, today)
      if (value && 'problem' in value) refuse(value.problem)
      else if (value && 'measured' in value) Object.assign(measured, value.measured)
      else if (value) Object.assign(plan.columns, value.columns)
    }
  }
  // An entry that is accepted at the same time says otherwise as one in the chart does.
  for (const { item } of accepted)
    if (item.isNone && plan.entries.some((entry) => isFor(item.field, entry))) fields[keyOf(item)] = reviewMessages.contradiction
  if (Object.keys(measured).length > 0) plan.measured = newMeasurement.parse({ ...measured, measuredOn })
  const changed = Object.entries(plan.columns).filter(([column, value]) => contact[column as ReviewedColumn] !== value)
  plan.columns = Object.fromEntries(changed)
  return Object.keys(fields).length > 0 ? { fields } : plan
}

/** Notes a submitted form for review if its answers propose something for the chart. */
export async function askForReview(tx: Db, form: FormRow, definition: Found['version']['definition']): Promise<void> {
  if (form.redFlags.length === 0 && proposalsOf(definition, form.answers).length === 0) return
  await tx.insert(formReviews).values({ formId: form.id, submittedAt: form.submittedAt! })
}

async function finishReview(tx: Db, scope: Scope, { id, submittedAt }: FormRow): Promise<void> {
  const done = { reviewedAt: scope.now(), reviewedBy: staff(scope).id }
  await tx
    .insert(formReviews)
    .values({ formId: id, submittedAt: submittedAt!, ...done })
    .onConflictDoUpdate({ target: formReviews.formId, set: done, setWhere: isNull(formReviews.reviewedAt) })
}

/** Ends a review although answers are undecided: the chart keeps what it says about them. Null: no such form. */
export const endReview = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    const locked = await lockForm(tx, id)
    if (!locked) return null
    const { found, contact } = locked
    if (found.form.status !== 'submitted') return refuse('NOT_SUBMITTED')
    const [before] = await tx.select().from(formReviews).where(eq(formReviews.formId, id))
    if (!before?.reviewedAt) {
      await finishReview(tx, scope, found.form)
      await recordChange(tx, scope, { action: 'changed', kind: 'form', contactIds: [contact.id], after: { id, isReviewed: true } })
      await publish(tx, 'form', id)
    }
    return readReview(tx, scope, (await findForm(tx, id))!, contact)
  })

/** The submitted forms that no one has reviewed, the oldest first. */
export async function listToReview(scope: Scope) {
  const rows = await scope.db
    .select({
      id: forms.id,
      contactId: forms.contactId,
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      submittedAt: formReviews.submittedAt,
      redFlags: forms.redFlags,
      definition: formVersions.definition,
    })
    .from(formReviews)
    .innerJoin(forms, eq(forms.id, formReviews.formId))
    .innerJoin(formVersions, eq(formVersions.id, forms.versionId))
    .innerJoin(contacts, eq(contacts.id, forms.contactId))
    .where(isNull(formReviews.reviewedAt))
    .orderBy(asc(formReviews.submittedAt), asc(formReviews.formId))
    .limit(maxToReview)
  if (rows.length > 0) await scope.recordView({ kind: 'form', contactIds: [...new Set(rows.map(({ contactId }) => contactId))] })
  return rows.map(({ definition, redFlags, ...row }) => ({ ...row, title: definition.title, redFlagCount: redFlags.length }))
}
