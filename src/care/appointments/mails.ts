import { randomUUID } from 'node:crypto'
import { TZDate } from '@date-fns/tz'
import { format } from 'date-fns/format'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { invitation } from '../../kernel/files/calendar-file.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { inOneLine } from '../../shared/text.ts'
import { profiles } from '../../platform/auth/table.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import type { AppointmentVariable } from '../../messages/email-templates/rules.ts'
import { renderTemplate } from '../../messages/email-templates/service.ts'
import { writeToPatient } from '../../messages/inbox/service.ts'
import { locations, rooms } from '../../platform/practice/table.ts'
import { formatClockTime } from '../reservations/rules.ts'
import type { Locked, Row } from './bookings.ts'
import { linkPath } from './link-rules.ts'
import { newLink } from './links/link-tokens.ts'
import { type MailKind, type MailRefusal, mailTemplates, type Tellable, type Told } from './mail-rules.ts'
import { appointmentMails } from './table.ts'

/** Stands in a mail as it is kept, where its reader finds a link of their own. */
const keptLink = (env: Env): string => `${env.APP_URL}${linkPath}/your-link`

/** What a patient needs to know of an appointment, as it is now. Which room it is, is said at the desk. */
export async function tellable(tx: Db, env: Env, { startsAt, providerId, roomId }: Row): Promise<Tellable> {
  const where = await locationOf(tx, roomId)
  return { startsAt, providerId, place: inOneLine(where?.address ?? '') || env.PRACTICE_ADDRESS || env.PRACTICE_NAME }
}

async function locationOf(tx: Db, roomId: string | null) {
  if (!roomId) return null
  const ofRoom = and(eq(rooms.id, roomId), eq(locations.id, rooms.locationId))
  const [row] = await tx.select({ address: locations.address, phone: locations.phone }).from(locations).innerJoin(rooms, ofRoom)
  return row ?? null
}

/** What patients were told of appointments so far, in its order. */
export const mailsSentOf = (tx: Db, appointmentIds: readonly string[]) =>
  tx
    .select()
    .from(appointmentMails)
    .where(inArray(appointmentMails.appointmentId, [...appointmentIds]))
    .orderBy(asc(appointmentMails.createdAt), asc(appointmentMails.id))

/** Tells a patient something of an appointment that is locked, or writes down why not, in the transaction of what made it known. */
export async function mailPatient(
  tx: Db,
  scope: Scope,
  locked: Locked,
  kind: MailKind,
  about: Tellable,
  earlier: readonly Told[],
): Promise<void> {
  const sent = await write(tx, scope, locked, kind, about, earlier)
  await tx.insert(appointmentMails).values({
    appointmentId: locked.row.id,
    kind,
    startsAt: about.startsAt,
    providerId: about.providerId,
    place: about.place,
    createdAt: scope.now(),
    ...(typeof sent === 'string' ? { refusal: sent } : { messageId: sent.id }),
  })
}

type Earlier = Told & { messageId?: string | null }

async function write(
  tx: Db,
  scope: Scope,
  { row, contact }: Locked,
  kind: MailKind,
  about: Tellable,
  earlier: readonly Earlier[],
): Promise<{ id: string } | MailRefusal> {
  const { env } = scope
  if (!contact.email) return 'no-address'
  const provider = await nameOfProvider(tx, about.providerId)
  const phone = (await locationOf(tx, row.roomId))?.phone ?? env.PRACTICE_PHONE
  const mail = await renderTemplate(tx, env, mailTemplates[kind], contact.id, {
    more: { ...valuesOf(env, about, provider), company_phone: phone },
    orStarter: true,
  })
  if (!mail) throw new Error('No email to send')
  const hasLink = [mail.text, mail.html].some((part) => part.includes(keptLink(env)))
  const secret = hasLink ? { standsFor: keptLink(env), value: `${env.APP_URL}${linkPath}/${await newLink(tx, scope, row)}` } : undefined
  const sent = await writeToPatient(tx, scope, {
    contactId: contact.id,
    address: contact.email,
    after: earlier.findLast(({ messageId }) => messageId)?.messageId ?? null,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    documentIds: [],
    files: isFiled(kind) ? [fileOf(scope, row, kind, { ...about, phone }, contact.email)] : [],
    ...(secret && { secret }),
    isCommercial: isCommercialCategory(mail.category),
    idempotencyKey: randomUUID(),
  })
  if (!isRefusal(sent)) return sent
  if (sent.refusal === 'SUPPRESSED') return 'suppressed'
  if (sent.refusal === 'NO_CONSENT') return 'no-consent'
  if (sent.refusal === 'NO_POSTAL_ADDRESS') return 'no-postal-address'
  throw new Error(`An appointment email was refused: ${sent.refusal}`)
}

export async function nameOfProvider(tx: Db, providerId: string | null): Promise<string | null> {
  const [provider] = providerId ? await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, providerId)) : []
  return provider?.name ?? null
}

const valuesOf = (env: Env, { startsAt, place }: Tellable, provider: string | null): Record<AppointmentVariable, string> => ({
  appointment_day: format(new TZDate(startsAt.getTime(), env.PRACTICE_TIME_ZONE), 'EEEE, MMMM d, yyyy'),
  appointment_time: formatClockTime(startsAt, env.PRACTICE_TIME_ZONE),
  appointment_provider: provider ?? 'our team',
  appointment_place: place,
  appointment_link: keptLink(env),
})

/** A reminder changes nothing in a calendar. */
const isFiled = (kind: MailKind): kind is 'confirmation' | 'changed' | 'cancelled' =>
  kind === 'confirmation' || kind === 'changed' || kind === 'cancelled'

/** The invitation, or what takes it back. It says nothing of what the appointment is for: calendars are shared, and shown on locked screens. */
function fileOf({ env, now }: Scope, row: Row, kind: MailKind, { place, phone }: Tellable & { phone: string }, attendee: string) {
  const isOff = kind === 'cancelled'
  const organizer = { name: env.PRACTICE_NAME, email: env.MAIL_REPLY_TO }
  const event = {
    uid: `${row.id}@${new URL(env.APP_URL).hostname}`,
    sequence: row.version,
    changedAt: now(),
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    title: `Appointment at ${env.PRACTICE_NAME}`,
    place,
    words: phone === '' ? null : `Questions? Call ${phone}.`,
    status: isOff ? ('cancelled' as const) : ('confirmed' as const),
  }
  return {
    name: isOff ? 'cancelled.ics' : 'appointment.ics',
    mimeType: `text/calendar; charset=utf-8; method=${isOff ? 'CANCEL' : 'REQUEST'}`,
    text: invitation(event, env.PRACTICE_TIME_ZONE, { organizer, attendee }),
  }
}
