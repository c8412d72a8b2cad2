import { asc, eq, sql } from 'drizzle-orm'
import { maySee } from '../../kernel/access/information.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { shownFormStatus } from '../../chart/forms/status-rules.ts'
import { forms } from '../../chart/forms/table.ts'
import { blockingStatuses } from '../surgeries/rules.ts'
import { surgeries } from '../surgeries/table.ts'
import type { CheckIn } from './contract.ts'
import { type CheckInState, dueCheckIn, plannedCheckIns } from './rules.ts'
import { scheduleOfSurgery } from './schedules.ts'
import { checkIns } from './table.ts'

const never = { formId: null, sentAt: null, answeredAt: null, remindedAt: null, escalatedAt: null, emailProblem: null, redFlagCount: null }

/** The check-ins after a surgery in order: those that were due, and those that are planned while it takes place. Null: no such surgery. */
export async function checkInsOf(scope: Scope, surgeryId: string): Promise<CheckIn[] | null> {
  const { db, env, actor, now } = scope
  const [surgery] = await db.select().from(surgeries).where(eq(surgeries.id, surgeryId))
  if (!surgery) return null
  await scope.recordView({ kind: 'form', contactIds: [surgery.contactId] })
  const rows = await db
    .select({ checkIn: checkIns, form: forms })
    .from(checkIns)
    .leftJoin(forms, eq(forms.id, checkIns.formId))
    .where(eq(checkIns.surgeryId, surgeryId))
    .orderBy(asc(checkIns.dueOn))
  const seesAnswers = maySee(actor, 'formAnswer')
  const sent = rows.map(({ checkIn, form }): CheckIn => ({
    day: checkIn.day,
    dueOn: checkIn.dueOn,
    state: stateOf(checkIn, form, now()),
    formId: form?.id ?? null,
    sentAt: form?.sentAt ?? null,
    answeredAt: form?.submittedAt ?? null,
    remindedAt: checkIn.remindedAt,
    escalatedAt: checkIn.escalatedAt,
    emailProblem: form?.emailProblem ?? null,
    redFlagCount: seesAnswers ? (form?.redFlags.length ?? 0) : null,
  }))
  if (!blockingStatuses.includes(surgery.status)) return sent
  const { rows: schedules } = await db.execute<{ days: number[] }>(
    sql`select schedule.days from surgeries, lateral ${scheduleOfSurgery} as schedule where surgeries.id = ${surgeryId}`,
  )
  const surgeryDay = dayAt(surgery.startsAt, env.PRACTICE_TIME_ZONE)
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const due = dueCheckIn(schedules[0]?.days ?? [], surgeryDay, today, '24:00')
  const missing = plannedCheckIns(schedules[0]?.days ?? [], surgeryDay).filter(
    ({ dueOn }) => !sent.some((one) => one.dueOn === dueOn && one.state !== 'stopped'),
  )
  const planned = missing.map((one): CheckIn => ({
    ...one,
    ...never,
    state: one.dueOn >= today || one.dueOn === due?.dueOn ? 'planned' : 'skipped',
  }))
  return [...sent, ...planned].toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
}

function stateOf({ stoppedAt }: typeof checkIns.$inferSelect, form: typeof forms.$inferSelect | null, now: Date): CheckInState {
  if (form?.status === 'submitted') return 'answered'
  if (stoppedAt !== null || form?.status === 'withdrawn') return 'stopped'
  if (!form) return 'call'
  return shownFormStatus(form, now) === 'expired' ? 'missed' : 'sent'
}
