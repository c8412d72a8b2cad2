import { and, eq, inArray } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { startNarrative as startNote } from '../../chart/notes/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addTask, cancelUntouched } from '../../crm/tasks/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { surgeries } from '../surgeries/table.ts'
import { type AdverseEvent, eventMessages } from './contract.ts'
import { getEvent } from './read.ts'
import { type EventKindName, isSeverityOf, reportDueOn, type Severity, warnOn } from './rules.ts'
import { adverseEvents } from './table.ts'

type Row = typeof adverseEvents.$inferSelect

interface Facts {
  surgeryId: string | null
  kind: EventKindName
  severity: Severity
  occurredAt: Date
  learnedAt: Date
  peopleIds: string[]
  others: string | null
}

const dayOf = ({ env }: Pick<Scope, 'env'>, instant: Date): string => dayAt(instant, env.PRACTICE_TIME_ZONE)
const dueOn = (scope: Scope, { kind, learnedAt }: Facts): string | null => reportDueOn(kind, dayOf(scope, learnedAt))

/** Field errors of the facts of an event, or null. People who were named before may have left. */
async function problemsOf(tx: Db, scope: Scope, contactId: string, facts: Facts, known: readonly string[]) {
  const { surgeryId, kind, severity, occurredAt, learnedAt, peopleIds } = facts
  const invalid: Record<string, string> = {}
  if (!isSeverityOf(kind, severity)) invalid.severity = eventMessages.severityOfDeath
  if (occurredAt > scope.now()) invalid.occurredAt = eventMessages.future
  if (learnedAt > scope.now()) invalid.learnedAt = eventMessages.future
  else if (learnedAt < occurredAt) invalid.learnedAt = eventMessages.order
  if (surgeryId !== null) {
    const [surgery] = await tx
      .select({ id: surgeries.id })
      .from(surgeries)
      .where(and(eq(surgeries.id, surgeryId), eq(surgeries.contactId, contactId)))
    if (!surgery) invalid.surgeryId = eventMessages.noSurgery
  }
  const added = peopleIds.filter((id) => !known.includes(id))
  if (added.length > 0 && (await tx.$count(profiles, and(inArray(profiles.id, added), eq(profiles.status, 'active')))) < added.length)
    invalid.peopleIds = eventMessages.noPerson
  return Object.keys(invalid).length > 0 ? invalidReference(invalid) : null
}

/** Records an event. If it has to be reported, its last day is stored, and the person who records it gets a task. */
export const recordEvent = (scope: Scope, { contactId, ...facts }: Facts & { contactId: string }) =>
  scope.db.transaction(async (tx) => {
    // A merge or deletion of the patient waits, or has ended.
    const [contact] = await tx.select().from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return invalidReference({ contactId: eventMessages.noPatient })
    const invalid = await problemsOf(tx, scope, contactId, facts, [])
    if (invalid) return invalid
    const values = { ...facts, contactId, dueOn: dueOn(scope, facts), createdAt: scope.now(), createdBy: staff(scope).id }
    const [row] = await tx.insert(adverseEvents).values(values).returning()
    await recordChange(tx, scope, { action: 'created', kind: 'adverse event', contactIds: [contactId], after: row })
    await followDeadline(tx, scope, row!)
    return afterwards(tx, row!.id)
  })

/** Changes the facts of an event whose report is not filed. Another kind or day sets another deadline. Null: no such event. */
export const changeEvent = (scope: Scope, { id, version, ...given }: Partial<Facts> & { id: string; version: number }) =>
  change(scope, { id, version }, async (tx, before, write) => {
    if (before.filedOn !== null) return refuse('FILED')
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Facts>
    const facts = { ...before, ...set }
    const invalid = await problemsOf(tx, scope, before.contactId, facts, before.peopleIds)
    if (invalid) return invalid
    const due = dueOn(scope, facts)
    return write({ ...set, dueOn: due, ...(due === before.dueOn ? {} : { warnedAt: null }) })
  })

/** Marks the report of an event as filed, which fixes its facts and ends its tasks. Null: no such event. */
export const fileReport = (scope: Scope, given: { id: string; version: number; filedOn: string; reference: string | null }) =>
  change(scope, given, async (_tx, before, write) => {
    if (before.dueOn === null) return refuse('NOT_REPORTABLE')
    if (before.filedOn !== null) return refuse('FILED')
    const { filedOn, reference } = given
    if (filedOn > dayOf(scope, scope.now())) return invalidReference({ filedOn: eventMessages.future })
    if (filedOn < dayOf(scope, before.learnedAt)) return invalidReference({ filedOn: eventMessages.filedEarly })
    return write({ filedOn, reference, filedBy: staff(scope).id })
  })

/** Marks a report as not filed, such as after a mistake: its clock goes on. Null: no such event. */
export const undoFiling = (scope: Scope, given: { id: string; version: number }) =>
  change(scope, given, async (_tx, before, write) =>
    before.filedOn === null ? refuse('NOT_FILED') : write({ filedOn: null, filedBy: null, reference: null, warnedAt: null }),
  )

/** Marks an event as recorded in error. It stays in the register, without a deadline. Null: no such event. */
export const voidEvent = (scope: Scope, { reason, ...given }: { id: string; version: number; reason: string }) =>
  change(scope, given, async (_tx, before, write) =>
    before.filedOn !== null ? refuse('FILED') : write({ voidedAt: scope.now(), voidedBy: staff(scope).id, voidReason: reason }),
  )

/** Starts the narrative of an event, once: a draft of a clinical note. Null: no such event. */
export const startNarrative = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    if (before.voidedAt !== null) return refuse('VOIDED')
    if (before.noteId === null) {
      const [contact] = await tx.select().from(contacts).where(eq(contacts.id, before.contactId)).for('key share')
      const note = await startNote(tx, scope, contact!, dayOf(scope, before.occurredAt))
      await tx
        .update(adverseEvents)
        .set({ noteId: note.id, version: before.version + 1 })
        .where(eq(adverseEvents.id, id))
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'adverse event',
        contactIds: [before.contactId],
        before: { id, noteId: null },
        after: { id, noteId: note.id },
      })
    }
    return afterwards(tx, id)
  })

async function lock(tx: Db, id: string): Promise<Row | null> {
  const [row] = await tx.select().from(adverseEvents).where(eq(adverseEvents.id, id)).for('no key update')
  return row ?? null
}

type Write = (values: Partial<Row>) => Promise<undefined>

/** Runs `work` on a locked event in the version that was read. It refuses, or writes new values with an audit entry. */
const change = <Refused extends Refusal<string, unknown>>(
  scope: Scope,
  { id, version }: { id: string; version: number },
  work: (tx: Db, before: Row, write: Write) => Promise<Refused | undefined>,
) =>
  scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    if (before.version !== version) {
      await recordChange(tx, scope, { action: 'viewed', kind: 'adverse event', contactIds: [before.contactId] })
      return refuse('CONFLICT', { current: (await getEvent(tx, id))! })
    }
    if (before.voidedAt !== null) return refuse('VOIDED')
    const write: Write = async (values) => {
      const [after] = await tx
        .update(adverseEvents)
        .set({ ...values, version: version + 1 })
        .where(eq(adverseEvents.id, id))
        .returning()
      await recordChange(tx, scope, { action: 'changed', kind: 'adverse event', contactIds: [before.contactId], before, after })
      if (after!.dueOn === before.dueOn && after!.filedOn === before.filedOn && after!.voidedAt === null) return
      for (const taskId of after!.taskIds) await cancelUntouched(tx, scope, taskId)
      await followDeadline(tx, scope, after!)
    }
    return (await work(tx, before, write)) ?? afterwards(tx, id)
  })

async function afterwards(tx: Db, id: string): Promise<AdverseEvent> {
  await publish(tx, 'adverse-event', id)
  return (await getEvent(tx, id))!
}

/**
 * Tasks of a report name neither the event nor the patient, because more people see tasks than the register. An event without an open report
 * has none.
 */
export const reportTask = (dueOn: string, taskDueOn: string) => ({
  title: `A report has to be filed by ${dueOn}`,
  description: 'Providers and administrators find it under Adverse events.',
  type: 'Follow-up' as const,
  dueDate: taskDueOn,
  contactId: null,
})

/** Gives the person who recorded an event with an open report a task, due before the warning of the administrators. */
async function followDeadline(tx: Db, scope: Scope, row: Row): Promise<void> {
  const isOpen = row.dueOn !== null && row.filedOn === null && row.voidedAt === null
  const today = dayOf(scope, scope.now())
  const taskIds = isOpen
    ? [
        await addTask(tx, scope, {
          ...reportTask(row.dueOn!, warnOn(row.dueOn!) > today ? warnOn(row.dueOn!) : today),
          people: [row.createdBy],
        }),
      ]
    : []
  await tx.update(adverseEvents).set({ taskIds }).where(eq(adverseEvents.id, row.id))
}
