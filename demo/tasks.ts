import { defaultDueTime } from '../src/crm/tasks/rules.ts'
import { instantOf, toLocal } from '../src/shared/zoned-time.ts'
import { copyLine } from './copy.ts'
import { day } from './clock.ts'
import type { Patient } from './patients/patients.ts'
import { type Random, uuidv7 } from './random.ts'
import type { Lines, References } from './rows.ts'
import type { StaffKey } from './staff.ts'

const zone = 'America/Toronto'

/** Task titles by type. */
const titles = [
  ['Call', 'Call about the quote'],
  ['Call', 'Return the call from the voicemail'],
  ['Call', 'Ask for a consult date'],
  ['Email', 'Send before and after photos'],
  ['Email', 'Send the pre-op instructions'],
  ['Follow-up', 'Send a second reminder about the quote'],
  ['Follow-up', 'Check in after the consult'],
  ['Meeting', 'Prepare for the consult'],
  ['Other', 'Confirm the implant order'],
  ['Other', 'Request the specialist’s clearance'],
] as const

/** Share of patients due for follow-up with an open task, and of contacted patients with a completed one. */
const [openShare, doneShare] = [0.22, 0.05]

/** Adds a patient's task, if any: one for the next follow-up, or one completed at the last contact. */
export function addTasks(to: Lines, patient: Patient, { staff }: References, random: Random, now: number): void {
  const { nextFollowUpDate: next, lastContactDate: last, salesRep, provider } = patient
  const isOpen = next !== null && random.chance(openShare)
  const isDone = !isOpen && last !== null && random.chance(doneShare)
  if (!isOpen && !isDone) return
  const [type, title] = random.pick(titles)
  const due = isOpen ? next : last!
  const createdAt = Math.floor(Math.max(patient.createdAt, Math.min(due, now) - random.int(1, 5) * day))
  const local = toLocal(new Date(due), zone)
  const hasTime = random.chance(0.4)
  const dueAt = hasTime ? due : instantOf({ day: local.day, time: defaultDueTime }, zone).getTime()
  const assigneeKeys: StaffKey[] = [salesRep ?? 'devon', ...(provider && random.chance(0.15) ? [provider] : [])]
  const assignees = [...new Set(assigneeKeys)].map((key) => staff[key])
  const id = uuidv7(createdAt, 0, random)
  const priority = random.chance(0.2) ? 'high' : random.chance(0.25) ? 'low' : 'medium'
  const status = isDone ? 'completed' : random.chance(0.15) ? 'in_progress' : 'pending'
  const at = (instant: number) => new Date(instant).toISOString()
  to.tasks.push(
    copyLine([
      id,
      title,
      null,
      type,
      priority,
      status,
      local.day,
      hasTime ? local.time : null,
      at(dueAt),
      at(dueAt),
      isDone,
      isDone,
      isDone ? at(last) : null,
      patient.id,
      assignees[0]!,
      assignees[0]!,
      at(createdAt),
      at(createdAt),
    ]),
  )
  for (const [position, assignee] of assignees.entries()) to.task_assignees.push(copyLine([id, assignee, position]))
}
