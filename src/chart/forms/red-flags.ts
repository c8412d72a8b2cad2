import { and, eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { profiles } from '../../platform/auth/table.ts'
import { nextOpenDay } from '../../platform/practice/rules.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addTask, assigneesFor } from '../../crm/tasks/service.ts'
import { entryLimits } from '../health/contract.ts'
import { bySameName } from '../health/rules.ts'
import { insertEntry, lockContact } from '../health/service.ts'
import { healthEntries } from '../health/table.ts'
import type { FormRow } from './sending.ts'

/** Adds a required item to the checklist of the patient's next case. False: no case is planned. Provided by surgeries. */
export const addToChecklist = slot<(tx: Db, scope: Scope, item: { contactId: string; words: string }) => Promise<boolean>>('addToChecklist')

/** Red flags of a check-in: someone calls the patient at once. Provided by check-ins. */
export const followCheckIn = slot<(tx: Db, scope: Scope, formId: string) => Promise<void>>('followCheckIn')

/** What the red flags of a submitted form ask for: alerts in the chart, an item on the checklist of the next case, a task for the sender. */
export async function followFlags(tx: Db, scope: Scope, form: FormRow): Promise<void> {
  const asks = (target: FormRow['redFlags'][number]['to']) => form.redFlags.some(({ to }) => to === target)
  if (asks('alert')) await addAlerts(tx, scope, form)
  // More people see checklists than answers, so it names neither the form nor an answer.
  const words = `Follow up on the form submitted ${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}`
  if (form.purpose === 'check_in' && form.redFlags.length > 0) return followCheckIn(tx, scope, form.id)
  const isOnChecklist = asks('checklist') && (await addToChecklist(tx, scope, { contactId: form.contactId, words }))
  if (!asks('task') && (!asks('checklist') || isOnChecklist)) return
  // No one has sent the form of a visit that the patient booked.
  const [otherwise = null] = form.sentBy === null ? await assigneesFor(tx, [await providerOf(tx, form.contactId)]) : []
  await addFollowUp(tx, scope, form, 'A submitted form needs follow-up', otherwise)
}

/** The patient's own provider, if active. */
async function providerOf(tx: Db, contactId: string): Promise<string | null> {
  const [found] = await tx
    .select({ id: profiles.id })
    .from(contacts)
    .innerJoin(profiles, eq(profiles.id, contacts.assignedProviderId))
    .where(and(eq(contacts.id, contactId), eq(profiles.status, 'active')))
  return found?.id ?? null
}

/** An alert that the chart has already is not added again. The limit of entries does not apply: a warning must not be lost. */
async function addAlerts(tx: Db, scope: Scope, { id, contactId, redFlags }: FormRow): Promise<void> {
  const contact = await lockContact(tx, contactId)
  if (!contact) return
  const isAlert = and(eq(healthEntries.contactId, contactId), eq(healthEntries.kind, 'alert'), eq(healthEntries.status, 'active'))
  const names = (await tx.select({ name: healthEntries.name }).from(healthEntries).where(isAlert)).map(({ name }) => name)
  for (const { to, message } of redFlags) {
    const name = message.en.slice(0, entryLimits.name)
    if (to !== 'alert' || names.some((known) => bySameName(known, name))) continue
    names.push(name)
    await insertEntry(tx, scope, contact, { ...noValues, kind: 'alert', name, source: 'form', sourceId: id })
  }
  await publish(tx, 'chart', contactId)
}

const noValues = { detail: null, severity: null, dose: null, stopDays: null, isWeightLoss: false, year: null, anaesthesia: null }

interface Sent {
  sentBy: string | null
  contactId: string
}

/**
 * Creates a task for the sender of what a patient has answered, due the next open day. It is emailed and seen by other roles, so its title says
 * nothing of what was sent or answered. `otherwise` gets it if the sender has left. Returns its id; null if it is no one's.
 */
export async function addFollowUp(
  tx: Db,
  scope: Scope,
  { sentBy, contactId }: Sent,
  title: string,
  otherwise: string | null = null,
): Promise<string | null> {
  const [first, ...others] = [sentBy, otherwise].filter((id) => id !== null)
  if (first === undefined) return null
  const hours = await tx.select().from(practiceHours)
  return addTask(tx, scope, {
    title,
    type: 'Follow-up',
    dueDate: nextOpenDay(hours, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)),
    contactId,
    people: [first, ...others],
  })
}
