import type pg from 'pg'
import { defaultDueTime } from '../src/crm/tasks/rules.ts'
import { type Clock, hour, isoDay, isWorkday, timeOfDay, workday, workdayBefore } from './clock.ts'
import { createRandom, uuidv7 } from './random.ts'
import type { References } from './rows.ts'
import type { StaffKey } from './staff.ts'

type Task = [type: string, title: string, description: string | null, stage: string]

/** Tasks of staff outside sales, and the stage of the patients they concern. */
const tasks: Partial<Record<StaffKey, Task[]>> = {
  admin: [
    ['Call', 'Return the call about wait times', 'Would like to hear from the manager.', 'consult_done'],
    ['Other', 'Check the consult fee refund', null, 'cold_lead'],
    ['Meeting', 'Talk through the financing offer', null, 'quote_sent'],
    ['Email', 'Reply to the privacy question', 'Asks who can view the photos.', 'contacted'],
    ['Follow-up', 'Check in after the overnight stay', null, 'surgery_booked'],
    ['Other', 'Approve the discount for the second procedure', null, 'quote_sent'],
  ],
  provider: [
    ['Other', 'Review the blood test', null, 'surgery_booked'],
    ['Call', 'Call about the biopsy result', null, 'consult_done'],
    ['Other', 'Sign the referral letter', null, 'consult_done'],
    ['Meeting', 'Plan the case with the anaesthetist', 'Had nausea after the last anaesthesia.', 'surgery_booked'],
    ['Follow-up', 'Review the week-two photos', null, 'surgery_booked'],
    ['Email', 'Write to the family doctor', null, 'consult_booked'],
  ],
  frontDesk: [
    ['Call', 'Confirm the consult', null, 'consult_booked'],
    ['Call', 'Reschedule the consult', 'Cannot come in the morning.', 'consult_booked'],
    ['Email', 'Resend the intake form', null, 'contacted'],
    ['Other', 'Scan the referral letter', null, 'consult_done'],
    ['Call', 'Book the pre-op visit', null, 'surgery_booked'],
    ['Follow-up', 'Ask for the health card number', null, 'consult_booked'],
  ],
  billing: [
    ['Call', 'Call about the balance', 'Due two weeks before surgery.', 'surgery_booked'],
    ['Email', 'Send the statement of account', null, 'surgery_booked'],
    ['Other', 'Match the e-transfer to its patient', 'The transfer message has a different name.', 'surgery_booked'],
    ['Follow-up', 'Check the financing company’s payment', null, 'surgery_booked'],
    ['Email', 'Send the receipt for the insurer', null, 'consult_done'],
    ['Other', 'Refund the deposit', 'Surgery was moved to next year.', 'quote_sent'],
  ],
}

/** Working days from today, an hour if there is one, and the priority: one overdue, two due today. */
const plan: [days: number, hours: number | null, priority: string][] = [
  [-1, null, 'high'],
  [0, 2, 'medium'],
  [0, 4, 'medium'],
  [1, null, 'high'],
  [3, null, 'medium'],
  [6, null, 'low'],
]

/**
 * Gives each member of staff outside sales six open tasks about suitable patients. Tasks for today are due a few hours from now, so that
 * none is overdue immediately. Runs in the caller's transaction.
 */
export async function addStaffTasks(client: pg.Client, { staff }: References, clock: Clock, seed: number): Promise<void> {
  const random = createRandom(seed)
  const today = clock.dayOf(clock.now)
  const { rows } = await client.query<{ id: string; stage: string }>(
    `select id, stage from (
       select c.id, stages.value as stage, row_number() over (partition by stages.value order by c.seq desc) as place
       from contacts as c join funnel_stages as stages on stages.id = funnel_stage) as newest where place <= 12`,
  )
  const usedPatientIds = new Set<string>()
  for (const [key, list] of Object.entries(tasks) as [StaffKey, Task[]][]) {
    for (const [index, [type, title, description, stage]] of list.entries()) {
      const patient =
        rows.find((row) => row.stage === stage && !usedPatientIds.has(row.id)) ?? rows.find(({ id }) => !usedPatientIds.has(id))
      if (patient) usedPatientIds.add(patient.id)
      const [days, hours, priority] = plan[index]!
      const due = dueAt(clock, today, days, hours)
      const createdAt = Math.min(clock.now, due) - random.int(20, 70) * hour
      const id = uuidv7(createdAt, index, random)
      const values = [
        id,
        title,
        description,
        type,
        priority,
        isoDay(clock.dayOf(due)),
        hours === null ? null : timeOfDay(clock.minuteOf(due)),
        new Date(due),
        patient?.id ?? null,
        staff[key],
        staff.mireille,
        new Date(createdAt),
      ]
      await client.query(
        `insert into tasks (id, title, description, type, priority, status, due_date, due_time_constraint, due_at, remind_at, notification_sent, completed,
           contact_id, assigned_to, created_by, created_at, updated_at)
         values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $8, false, false, $9, $10, $11, $12, $12)`,
        values,
      )
      await client.query('insert into task_assignees (task_id, profile_id, position) values ($1, $2, 0)', [id, staff[key]])
    }
  }
}

function dueAt(clock: Clock, today: number, days: number, hours: number | null): number {
  if (days === 0 && hours !== null && clock.dayOf(clock.now + hours * hour) === today) return clock.now + hours * hour
  const [at, minutes] = defaultDueTime.split(':').map(Number) as [number, number]
  let to = today
  for (let left = Math.abs(days); left > 0; left--) to = days < 0 ? workdayBefore(to - 1) : workday(to + 1)
  if (days === 0 && (!isWorkday(to) || hours !== null)) to = workday(today + 1)
  return clock.at(to, at * 60 + minutes)
}
