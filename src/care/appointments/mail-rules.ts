import { daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { appointmentTemplates } from '../../messages/email-templates/rules.ts'
import type { AppointmentStatus } from './rules.ts'

/** Reminders, by how long before the appointment they go out, the longest first. */
export const reminderDays = { reminder_48h: 2, reminder_24h: 1 } as const
export type ReminderKind = keyof typeof reminderDays
const reminderKinds = Object.keys(reminderDays) as ReminderKind[]

/** What tells a patient that something has changed. */
export type NewsKind = 'confirmation' | 'changed' | 'cancelled'
export const mailKinds = ['confirmation', 'changed', 'cancelled', 'reminder_48h', 'reminder_24h'] as const
export type MailKind = (typeof mailKinds)[number]
const isReminder = (kind: MailKind): kind is ReminderKind => kind in reminderDays

/** The patient has no address; it bounced or complained; or the clinic has made the mail an advertisement, which needs consent. */
export const mailRefusals = ['no-address', 'suppressed', 'no-consent', 'no-postal-address'] as const
export type MailRefusal = (typeof mailRefusals)[number]

/** The templates that mails are written from. */
export const mailTemplates: Record<MailKind, string> = {
  confirmation: appointmentTemplates.confirmation,
  changed: appointmentTemplates.changed,
  cancelled: appointmentTemplates.cancelled,
  reminder_48h: appointmentTemplates.reminder,
  reminder_24h: appointmentTemplates.reminder,
}

/** What a patient needs to know of an appointment. */
export interface Tellable {
  startsAt: Date
  providerId: string | null
  place: string
}

interface Planned extends Tellable {
  status: AppointmentStatus
  tellsPatient: boolean
}

/** Something that a patient was told, or could not be told, and when that was. Several of them come in their order. */
export interface Told extends Tellable {
  kind: MailKind
  createdAt: Date
}

/** Those of whom something is still expected. */
const expected: readonly AppointmentStatus[] = ['booked', 'confirmed']

/** Of what was told, in its order, the news without the reminders, the last first. */
export const newsOf = (told: readonly Told[]): Told[] => told.filter(({ kind }) => !isReminder(kind)).toReversed()

/**
 * What a patient has to be told, so that the last that they heard is true; null when it is, or when they are told nothing, or what they would hear
 * of is over. Of a change that was taken back in the meantime nothing is told.
 */
export function newsToTell(now: Date, planned: Planned, told: readonly Told[]): NewsKind | null {
  const { status, startsAt, providerId, place } = planned
  if (!planned.tellsPatient || startsAt <= now) return null
  const [last] = newsOf(told)
  const isExpecting = last !== undefined && last.kind !== 'cancelled'
  if (status === 'cancelled') return isExpecting ? 'cancelled' : null
  if (!expected.includes(status)) return null
  if (!isExpecting) return 'confirmation'
  const isTrue = last.startsAt.getTime() === startsAt.getTime() && last.providerId === providerId && last.place === place
  return isTrue ? null : 'changed'
}

/** Whether a change is something to tell a patient who knows what was planned `before`. */
export const isNews = (now: Date, before: Tellable, after: Planned): boolean =>
  newsToTell(now, after, [{ ...before, kind: 'confirmation', createdAt: now }]) !== null

/**
 * When a patient is reminded: two days before and one, at the time of day of the appointment, on the practice's clock. Across a change of clocks
 * that is an hour more or less than 48 and 24; of an appointment at a time that the clocks skip or show twice, see `instantOf`.
 */
export function reminderMoment(kind: ReminderKind, startsAt: Date, timeZone: string): Date {
  const { day, time } = toLocal(startsAt, timeZone)
  return instantOf({ day: daysLater(day, -reminderDays[kind]), time }, timeZone)
}

/** No appointment that begins later is reminded of yet, in milliseconds: two days and a change of clocks. */
export const earliestReminder = 50 * 3_600_000

/**
 * The reminder that is due, if any: the last whose moment has come, of an appointment at a time that the patient has known since before that
 * moment, once for that time. One that was missed because nothing ran is sent late, unless the next is due as well.
 */
export function reminderDue(now: Date, planned: Planned, told: readonly Told[], timeZone: string): ReminderKind | null {
  const { status, startsAt, tellsPatient } = planned
  if (!tellsPatient || !expected.includes(status) || startsAt <= now) return null
  const isOfThis = (one: Told) => one.kind !== 'cancelled' && one.startsAt.getTime() === startsAt.getTime()
  const due = reminderKinds.findLast((kind) => reminderMoment(kind, startsAt, timeZone) <= now)
  if (!due || told.some((one) => one.kind === due && isOfThis(one))) return null
  // Known since the first news of this time: that someone else sees the patient then is no new time.
  const news = newsOf(told)
  const other = news.findIndex((one) => !isOfThis(one))
  const first = (other < 0 ? news : news.slice(0, other)).at(-1)
  return first && first.createdAt < reminderMoment(due, startsAt, timeZone) ? due : null
}
