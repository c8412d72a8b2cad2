import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../../kernel/refusal.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { bookings, type Locked } from '../bookings.ts'
import { blockingStatuses } from '../rules.ts'
import { type SafetyChecklist, safetyMessages } from '../safety-contract.ts'
import {
  currentAnswers,
  isIdentified,
  nextPhase,
  phaseProblems,
  type SafetyAnswer,
  safetyItem,
  type SafetyPhase,
  safetyPhases as phases,
} from '../safety-rules.ts'
import { safetyAnswers, safetyPhases, surgeries } from '../table.ts'
import { announceSurgery } from '../update-record.ts'
import { closedPhases, openSafetyPhases, safetyDay, stateOf } from './state.ts'

/*
 * The surgical safety checklist: answers are added and never changed, and a phase is closed once. Everything happens under the lock of the
 * surgery, so that nothing is answered in a phase that someone else is confirming.
 */

type ContactRow = typeof contacts.$inferSelect

const nameOf = ({ firstName, lastName }: ContactRow): string => `${firstName} ${lastName}`

const answersOf = (db: Db, surgeryId: string, day: string) =>
  db
    .select()
    .from(safetyAnswers)
    .where(and(eq(safetyAnswers.surgeryId, surgeryId), eq(safetyAnswers.day, day)))
    .orderBy(asc(safetyAnswers.id))

async function checklistOf(db: Db, scope: Pick<Scope, 'env'>, { row, contact }: Locked): Promise<SafetyChecklist> {
  const closed = await closedPhases(db, scope, row)
  return {
    surgeryId: row.id,
    contactId: contact.id,
    day: safetyDay(scope, row),
    identity: { name: nameOf(contact), dateOfBirth: contact.dateOfBirth },
    phases: phases.map((phase) => {
      const { reason = null, identity = null } = closed.find((one) => one.phase === phase) ?? {}
      return { ...stateOf(phase, closed), reason, identity }
    }),
    answers: await answersOf(db, row.id, safetyDay(scope, row)),
  }
}

/** The checklist of a surgery with its answers. Null: surgery not found. */
export async function viewSafetyChecklist(scope: Scope, id: string): Promise<SafetyChecklist | null> {
  const [found] = await scope.db
    .select({ row: surgeries, contact: contacts })
    .from(surgeries)
    .innerJoin(contacts, eq(contacts.id, surgeries.contactId))
    .where(eq(surgeries.id, id))
  if (!found) return null
  await scope.recordView({ kind: 'safety checklist', contactIds: [found.contact.id] })
  return checklistOf(scope.db, scope, found)
}

/** Runs `work` on a locked surgery that takes place, from its day on. Null: surgery not found. */
const withChecklist = <Refused>(scope: Scope, id: string, work: (tx: Db, locked: Locked, day: string) => Promise<Refused | undefined>) =>
  scope.db.transaction(async (tx) => {
    const locked = await bookings.lock(tx, id)
    if (!locked) return null
    const day = safetyDay(scope, locked.row)
    if (!blockingStatuses.includes(locked.row.status)) return refuse('NOT_TAKING_PLACE')
    if (dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE) < day) return refuse('TOO_EARLY')
    const refused = await work(tx, locked, day)
    if (refused) return refused
    await announceSurgery(tx, id)
    return checklistOf(tx, scope, locked)
  })

/** A refusal that shows the checklist as it is, which is a view. */
async function current(tx: Db, scope: Scope, locked: Locked) {
  await recordChange(tx, scope, { action: 'viewed', kind: 'safety checklist', contactIds: [locked.contact.id] })
  return { current: await checklistOf(tx, scope, locked) }
}

interface NewAnswer {
  id: string
  item: string
  answer: SafetyAnswer
  note: string | null
}

/** Adds an answer to an open phase. Null: surgery not found. */
export const answerItem = (scope: Scope, { id, item: itemId, answer, note }: NewAnswer) =>
  withChecklist(scope, id, async (tx, locked, day) => {
    const item = safetyItem(itemId)!
    if (!(answer in item.answers)) return invalidReference({ answer: safetyMessages.answer })
    const closed = await closedPhases(tx, scope, locked.row)
    if (closed.some(({ phase }) => phase === item.phase)) return refuse('CLOSED', await current(tx, scope, locked))
    const values = {
      surgeryId: id,
      day,
      phase: item.phase,
      item: itemId,
      answer,
      note,
      answeredBy: staff(scope).id,
      answeredAt: scope.now(),
    }
    const [after] = await tx.insert(safetyAnswers).values(values).returning()
    await record(tx, scope, locked, 'created', after!)
    return undefined
  })

interface Confirmation {
  id: string
  phase: SafetyPhase
  identity: { name: string; dateOfBirth: string } | null
  lastAnswerId: string
}

/**
 * Closes a phase in which every item is answered and none stops the team, after the phases before it. At sign in and time out, name and birth
 * date have to be those of the record. Null: surgery not found.
 */
export const confirmPhase = (scope: Scope, { id, phase, identity, lastAnswerId }: Confirmation) =>
  withChecklist(scope, id, async (tx, locked, day) => {
    const closed = await closedPhases(tx, scope, locked.row)
    if (closed.some((one) => one.phase === phase)) return refuse('CLOSED', await current(tx, scope, locked))
    if (nextPhase(closed) !== phase) return refuse('OUT_OF_ORDER')
    const answers = await answersOf(tx, id, day)
    const problems = phaseProblems(phase, currentAnswers(answers))
    if (problems.open.length + problems.stopped.length > 0) return refuse('INCOMPLETE', problems)
    if (answers.at(-1)?.id !== lastAnswerId) return refuse('CONFLICT', await current(tx, scope, locked))
    const { contact } = locked
    if (isIdentified(phase)) {
      if (contact.dateOfBirth === null) return refuse('NO_BIRTH_DATE')
      if (identity?.name !== nameOf(contact) || identity.dateOfBirth !== contact.dateOfBirth)
        return refuse('IDENTITY_MISMATCH', await current(tx, scope, locked))
    }
    const outcome = { outcome: 'confirmed' as const, identity: isIdentified(phase) ? identity : null }
    await close(tx, scope, locked, [{ surgeryId: id, day, phase, ...outcome }])
    return undefined
  })

/** Waives the phases that are still open. Null: surgery not found. */
export const waiveChecklist = (scope: Scope, { id, reason }: { id: string; reason: string }) =>
  withChecklist(scope, id, async (tx, locked, day) => {
    const open = await openSafetyPhases(tx, scope, locked.row)
    if (open.length === 0) return refuse('CLOSED', await current(tx, scope, locked))
    await close(
      tx,
      scope,
      locked,
      open.map((phase) => ({ surgeryId: id, day, phase, outcome: 'waived', reason })),
    )
    return undefined
  })

type NewPhase = Omit<typeof safetyPhases.$inferInsert, 'closedAt' | 'closedBy'>

async function close(tx: Db, scope: Scope, locked: Locked, given: NewPhase[]): Promise<void> {
  const stamp = { closedBy: staff(scope).id, closedAt: scope.now() }
  const rows = await tx
    .insert(safetyPhases)
    .values(given.map((phase) => ({ ...phase, ...stamp })))
    .returning()
  for (const row of rows) await record(tx, scope, locked, 'changed', row)
}

/** The audit entry of an answer or of a closed phase: the log proves what was answered, and when. */
const record = (tx: Db, scope: Scope, { contact }: Locked, action: 'created' | 'changed', after: object): Promise<void> =>
  recordChange(tx, scope, { action, kind: 'safety checklist', contactIds: [contact.id], after })
