import { daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { appointmentTemplates } from '../../messages/email-templates/rules.ts'
import type { AppointmentStatus } from './rules.ts'

/** Days before the appointment that each reminder is sent, longest first. */
export const reminderDays = { reminder_48h: 2, reminder_24h: 1 } as const
export type ReminderKind = keyof typeof reminderDays
const reminderKinds = Object.keys(reminderDays) as ReminderKind[]

/** Emails that announce a change to the patient. */
export type UpdateKind = 'confirmation' | 'changed' | 'cancelled'
export const mailKinds = ['confirmation', 'changed', 'cancelled', 'reminder_48h', 'reminder_24h'] as const
export type MailKind = (typeof mailKinds)[number]
export const isReminder = (kind: MailKind): kind is ReminderKind => kind in reminderDays

/** No address; the address bounced or complained; or the template is marketing, which needs consent and a postal address. */
export const mailRefusals = ['no-address', 'suppressed', 'no-consent', 'no-postal-address'] as const
export type MailRefusal = (typeof mailRefusals)[number]

const templates: Record<MailKind, string> = {
  confirmation: appointmentTemplates.confirmation,
  changed: appointmentTemplates.changed,
  cancelled: appointmentTemplates.cancelled,
  reminder_48h: appointmentTemplates.reminder,
  reminder_24h: appointmentTemplates.reminder,
}

/** The template of an email. It does not ask to confirm a visit that the patient has booked themselves (`createdBy` is null), paid for or confirmed. */
export function templateOf(kind: MailKind, { status, createdBy }: { status: AppointmentStatus; createdBy: string | null }): string {
  if (kind === 'confirmation' && (status === 'confirmed' || createdBy === null)) return appointmentTemplates.booked
  return kind === 'changed' && status === 'confirmed' ? appointmentTemplates.updated : templates[kind]
}

/** The details of an appointment that patients are notified about. */
export interface NotifiedDetails {
  startsAt: Date
  providerId: string | null
  place: string
}

interface Planned extends NotifiedDetails {
  status: AppointmentStatus
  notifiesPatient: boolean
}

/** A notification that was sent or refused. Lists of them are oldest first. */
export interface PastNotification extends NotifiedDetails {
  kind: MailKind
  createdAt: Date
}

/** Statuses in which the patient is notified of changes and reminded. */
const notifiableStatuses: readonly AppointmentStatus[] = ['booked', 'confirmed']

/** The past notifications without reminders, newest first. */
export const updatesOf = (past: readonly PastNotification[]): PastNotification[] =>
  past.filter(({ kind }) => !isReminder(kind)).toReversed()

/**
 * The update to send so that the last one the patient received is correct. Null if it already is (also after a change that was undone), if
 * the patient is not notified, or if the appointment has begun.
 */
export function dueUpdate(now: Date, planned: Planned, past: readonly PastNotification[]): UpdateKind | null {
  const { status, startsAt, providerId, place } = planned
  if (!planned.notifiesPatient || startsAt <= now) return null
  const [last] = updatesOf(past)
  const isAnnounced = last !== undefined && last.kind !== 'cancelled'
  if (status === 'cancelled') return isAnnounced ? 'cancelled' : null
  if (!notifiableStatuses.includes(status)) return null
  if (!isAnnounced) return 'confirmation'
  const isCurrent = last.startsAt.getTime() === startsAt.getTime() && last.providerId === providerId && last.place === place
  return isCurrent ? null : 'changed'
}

/** Whether a change requires an update for a patient who was notified of `before`. */
export const needsUpdate = (now: Date, before: NotifiedDetails, after: Planned): boolean =>
  dueUpdate(now, after, [{ ...before, kind: 'confirmation', createdAt: now }]) !== null

/**
 * When a reminder is due: two days or one day before the appointment, at its time of day in the practice's time zone. Across a
 * daylight-saving change that is an hour more or less than 48 or 24. `instantOf` explains times that the clocks skip or repeat.
 */
export function reminderTime(kind: ReminderKind, startsAt: Date, timeZone: string): Date {
  const { day, time } = toLocal(startsAt, timeZone)
  return instantOf({ day: daysLater(day, -reminderDays[kind]), time }, timeZone)
}

/** How far ahead reminders look, in milliseconds: two days, plus room for a daylight-saving change. */
export const reminderLookahead = 50 * 3_600_000

/**
 * The reminder that is due, or null: the last one whose time has come, once per appointment time, and only if the patient knew that time
 * before the reminder was due. A reminder missed during downtime is sent late, unless the next one is due as well.
 */
export function reminderDue(now: Date, planned: Planned, past: readonly PastNotification[], timeZone: string): ReminderKind | null {
  const { status, startsAt, notifiesPatient } = planned
  if (!notifiesPatient || !notifiableStatuses.includes(status) || startsAt <= now) return null
  const isForThisTime = (one: PastNotification) => one.kind !== 'cancelled' && one.startsAt.getTime() === startsAt.getTime()
  const due = reminderKinds.findLast((kind) => reminderTime(kind, startsAt, timeZone) <= now)
  if (!due || past.some((one) => one.kind === due && isForThisTime(one))) return null
  // The patient has known the time since its first announcement: another provider at the same time does not count as a new one.
  const updates = updatesOf(past)
  const firstOther = updates.findIndex((one) => !isForThisTime(one))
  const announcement = (firstOther < 0 ? updates : updates.slice(0, firstOther)).at(-1)
  return announcement && announcement.createdAt < reminderTime(due, startsAt, timeZone) ? due : null
}
