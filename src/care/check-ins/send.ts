import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt, daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { currentFormVersion, insertForm, mailForm } from '../../chart/forms/service.ts'
import { forms } from '../../chart/forms/table.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { surgeries } from '../surgeries/table.ts'
import { announce, callPatient } from './follow-up.ts'
import { answerDays, callAfter, dueCheckIn, graceDays, plannedCheckIns, remindAfter, sendFrom } from './rules.ts'
import { scheduleOfSurgery } from './schedules.ts'
import { checkIns } from './table.ts'

/** Sends the check-ins that are due, each surgery in a transaction of its own. */
export async function sendDueCheckIns(scope: Scope): Promise<void> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const today = dayAt(scope.now(), zone)
  const { rows } = await scope.db.execute<{ id: string }>(sql`
    select surgeries.id from surgeries join lateral ${scheduleOfSurgery} as schedule on true
    where surgeries.status = 'completed' and exists (
      select from unnest(schedule.days) as day, lateral (select (surgeries.starts_at at time zone ${zone})::date + day as due_on) as due
      where due_on between ${today}::date - ${graceDays}::int and ${today}::date
        and not exists (select from check_ins
          where check_ins.surgery_id = surgeries.id and check_ins.due_on = due.due_on and check_ins.stopped_at is null))`)
  for (const { id } of rows) await sendCheckIn(scope, id)
}

/** Sends the check-in of a surgery that is due now, once: its row and its form are inserted together. */
const sendCheckIn = (scope: Scope, surgeryId: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const locked = await lock(tx, surgeryId)
    if (!locked) return
    const { surgery, contact, schedule } = locked
    const zone = scope.env.PRACTICE_TIME_ZONE
    const [now, surgeryDay] = [toLocal(scope.now(), zone), dayAt(surgery.startsAt, zone)]
    const due = dueCheckIn(schedule.days, surgeryDay, now.day, now.time)
    if (!due) return
    const [row] = await tx
      .insert(checkIns)
      .values({ surgeryId, ...due, createdAt: scope.now() })
      .onConflictDoNothing()
      .returning()
    if (!row) return
    const [email] = (await emailsOf(tx, contact.id)) ?? []
    const version = await currentFormVersion(tx, schedule.template_id)
    if (email === undefined || !version) {
      const reason = email === undefined ? 'no email address for the check-in' : 'the form of the check-in is not active'
      await tx.update(checkIns).set({ escalatedAt: scope.now() }).where(eq(checkIns.id, row.id))
      await callPatient(tx, scope, surgery, `Call the patient after the surgery: ${reason}`)
    } else {
      const next = plannedCheckIns(schedule.days, surgeryDay).find(({ dueOn }) => dueOn > due.dueOn)
      const last = daysLater(now.day, answerDays)
      const expiresOn = next && next.dueOn < last ? next.dueOn : last
      const expiresAt = instantOf({ day: expiresOn, time: sendFrom }, zone)
      const form = await insertForm(tx, scope, { contact, version, to: email, sentBy: null, expiresAt, purpose: 'check_in' })
      await tx.update(checkIns).set({ formId: form.id }).where(eq(checkIns.id, row.id))
    }
    await announce(tx, surgeryId)
  })

/** A completed surgery with its patient, locked in the order of merges and deletions, and its schedule. Null: not, or no longer. */
async function lock(tx: Db, surgeryId: string) {
  const [unlocked] = await tx.select({ contactId: surgeries.contactId }).from(surgeries).where(eq(surgeries.id, surgeryId))
  if (!unlocked) return null
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, unlocked.contactId)).for('no key update')
  const [surgery] = await tx
    .select()
    .from(surgeries)
    .where(and(eq(surgeries.id, surgeryId), eq(surgeries.contactId, unlocked.contactId), eq(surgeries.status, 'completed')))
    .for('no key update')
  if (!contact || !surgery) return null
  const { rows } = await tx.execute<{ template_id: string; days: number[] }>(
    sql`select schedule.* from surgeries, lateral ${scheduleOfSurgery} as schedule where surgeries.id = ${surgeryId}`,
  )
  return rows[0] ? { surgery, contact, schedule: rows[0] } : null
}

/** Reminds of check-ins that no one has answered, and then has someone call. Each happens once, because it is stored with what it causes. */
export async function followUnanswered(scope: Scope): Promise<void> {
  const before = (age: number) => new Date(scope.now().getTime() - age)
  const isOpen = and(isNull(checkIns.stoppedAt), inArray(forms.status, ['sent', 'started']))
  const waiting = await scope.db
    .select({ id: checkIns.id })
    .from(checkIns)
    .innerJoin(forms, eq(forms.id, checkIns.formId))
    .where(
      and(
        isOpen,
        isNull(checkIns.escalatedAt),
        or(
          and(isNull(checkIns.remindedAt), lte(checkIns.createdAt, before(remindAfter))),
          lte(checkIns.createdAt, before(callAfter)),
          lte(forms.expiresAt, scope.now()),
          isNotNull(forms.emailProblem),
        ),
      ),
    )
  for (const { id } of waiting) await follow(scope, id)
}

const follow = (scope: Scope, id: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(checkIns).where(eq(checkIns.id, id)).for('update')
    if (!row?.formId || row.stoppedAt !== null || row.escalatedAt !== null) return
    const [form] = await tx.select().from(forms).where(eq(forms.id, row.formId)).for('no key update')
    const [surgery] = await tx.select().from(surgeries).where(eq(surgeries.id, row.surgeryId))
    if (!form || !surgery || (form.status !== 'sent' && form.status !== 'started')) return
    const now = scope.now()
    const age = now.getTime() - row.createdAt.getTime()
    if (age >= callAfter || form.expiresAt <= now || form.emailProblem !== null) {
      await callPatient(tx, scope, surgery, 'Call the patient: the check-in after the surgery is not answered')
      await tx.update(checkIns).set({ escalatedAt: now }).where(eq(checkIns.id, id))
    } else if (age >= remindAfter && row.remindedAt === null) {
      await enqueue(tx, mailForm, { id: form.id, isReminder: true })
      await tx.update(checkIns).set({ remindedAt: now }).where(eq(checkIns.id, id))
    } else return
    await announce(tx, surgery.id)
  })
