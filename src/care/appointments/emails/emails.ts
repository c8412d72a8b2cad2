import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { type CalendarEvent, eventFile, invitation } from '../../../kernel/files/calendar-file.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { isRefusal } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { inOneLine } from '../../../shared/text.ts'
import { formatCents, formatClockTime, formatFullDay, inLanguage, type Language } from '../../../shared/translations.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { languageOf, preferredLanguageOf } from '../../../crm/contacts/service.ts'
import { patientUrl } from '../../../platform/mail/service.ts'
import { isCommercialCategory } from '../../../crm/consent/rules.ts'
import type { AppointmentVariable } from '../../../messages/email-templates/rules.ts'
import { renderTemplate } from '../../../messages/email-templates/service.ts'
import { plainText } from '../../../messages/inbox/text-rules.ts'
import { preferredNumber, textPatient, writeToPatient } from '../../../messages/inbox/service.ts'
import { locations, rooms } from '../../../platform/practice/table.ts'
import type { Locked, Row } from '../bookings.ts'
import { bookingPath, linkPath } from '../link-rules.ts'
import { linkTokenOf } from '../links/link-tokens.ts'
import { isReminder, type MailKind, type MailRefusal, type NotifiedDetails, type PastNotification, templateOf } from '../email-rules.ts'
import { type MailSection, withSections } from '../../../platform/mail/rules.ts'
import { type OfferedVisit, readOffer } from '../../availability/service.ts'
import { termsTexts } from '../../availability/texts.ts'
import { noticeLines } from '../notice-rules.ts'
import { appointmentMails } from '../table.ts'
import { changePolicyOf, moneyLines, termsOfAppointment } from '../terms.ts'
import { appointmentTexts } from '../texts.ts'

/** Replaces the secret link in the stored copy of an email. */
const linkPlaceholder = (env: Env): string => `${env.APP_URL}${linkPath}/your-link`

/** The details that patients are notified about, as they are now. The front desk tells them the room; emails do not. */
export async function notifiedDetails(
  tx: Db,
  env: Env,
  { startsAt, providerId, roomId }: Pick<Row, 'startsAt' | 'providerId' | 'roomId'>,
): Promise<NotifiedDetails> {
  const where = await locationOf(tx, roomId)
  return { startsAt, providerId, place: inOneLine(where?.address ?? '') || env.PRACTICE_ADDRESS || env.PRACTICE_NAME }
}

async function locationOf(tx: Db, roomId: string | null) {
  if (!roomId) return null
  const ofRoom = and(eq(rooms.id, roomId), eq(locations.id, rooms.locationId))
  const [row] = await tx.select({ address: locations.address, phone: locations.phone }).from(locations).innerJoin(rooms, ofRoom)
  return row ?? null
}

const phoneFor = async (tx: Db, env: Env, { roomId }: Row): Promise<string> => (await locationOf(tx, roomId))?.phone ?? env.PRACTICE_PHONE

/** Emails about these appointments, sent or refused, oldest first. */
export const pastNotificationsOf = (tx: Db, appointmentIds: readonly string[]) =>
  tx
    .select()
    .from(appointmentMails)
    .where(inArray(appointmentMails.appointmentId, [...appointmentIds]))
    .orderBy(asc(appointmentMails.createdAt), asc(appointmentMails.id))

/** An appointment, and what the patient is notified about. */
export interface Announced {
  row: Row
  details: NotifiedDetails
}
/** What one message is about: an appointment or, when a series is confirmed or cancelled, its appointments in order. The template is about the first. */
export type AnnouncedVisits = readonly [Announced, ...Announced[]]

/** Writes to the patient about locked appointments, by text if they prefer it, or records why not, in the caller's transaction. */
export async function emailPatient(
  tx: Db,
  scope: Scope,
  contact: Locked['contact'],
  kind: MailKind,
  visits: AnnouncedVisits,
  past: readonly PastNotification[],
): Promise<void> {
  const result = (await sendText(tx, scope, contact, kind, visits)) ?? (await sendEmail(tx, scope, contact, kind, visits, past))
  await tx.insert(appointmentMails).values(
    visits.map(({ row, details: { startsAt, providerId, place } }) => ({
      appointmentId: row.id,
      kind,
      startsAt,
      providerId,
      place,
      createdAt: scope.now(),
      ...(typeof result === 'string' ? { refusal: result } : { messageId: result.id }),
    })),
  )
}

/** Texts a patient who prefers it and can be reached. Null: an email is due. */
async function sendText(
  tx: Db,
  scope: Scope,
  contact: Locked['contact'],
  kind: MailKind,
  visits: AnnouncedVisits,
): Promise<{ id: string } | null> {
  const [{ row, details }] = visits
  const { env } = scope
  const number = await preferredNumber(tx, scope, contact.id)
  if (number === null) return null
  const language = await languageOf(tx, contact.id)
  const more = valuesOf(env, details, await nameOfProvider(tx, details.providerId), language)
  const found = await renderTemplate(tx, env, templateOf(kind, row), contact.id, { more, language, channel: 'text', orStarter: true })
  if (!found || isCommercialCategory(found.category)) return null
  const sent = await textPatient(tx, scope, {
    contactId: contact.id,
    number,
    text: [plainText(found.text), ...visitLines(env, kind, visits, language), ...(await moneyFor(tx, scope, row, kind, language))].join(
      '\n',
    ),
    html: null,
    documentIds: [],
    ...(await secretLink(tx, scope, row, [found.text])),
    linksUntil: details.startsAt,
    isCommercial: false,
    idempotencyKey: randomUUID(),
  })
  return isRefusal(sent) ? null : sent
}

/** The link to the appointment, if these parts contain its placeholder. */
async function secretLink(tx: Db, scope: Scope, row: Row, parts: readonly string[]) {
  const standsFor = linkPlaceholder(scope.env)
  if (!parts.some((part) => part.includes(standsFor))) return {}
  const path = `${linkPath}/${await linkTokenOf(tx, scope, row)}`
  return { secret: { standsFor, value: patientUrl(scope.env, path, { language: await preferredLanguageOf(tx, row.contactId) }) } }
}

type StoredNotification = PastNotification & { messageId?: string | null }

async function sendEmail(
  tx: Db,
  scope: Scope,
  contact: Locked['contact'],
  kind: MailKind,
  visits: AnnouncedVisits,
  past: readonly StoredNotification[],
): Promise<{ id: string } | MailRefusal> {
  const { env } = scope
  const [{ row, details }] = visits
  if (!contact.email) return 'no-address'
  const provider = await nameOfProvider(tx, details.providerId)
  const phone = await phoneFor(tx, env, row)
  const language = await languageOf(tx, contact.id)
  const mail = await renderTemplate(tx, env, templateOf(kind, row), contact.id, {
    more: { ...valuesOf(env, details, provider, language), company_phone: phone },
    language,
    orStarter: true,
  })
  if (!mail) throw new Error('No email to send')
  const { subject, category, ...written } = mail
  const words = withSections(written, await sectionsFor(tx, scope, kind, visits, language))
  const { email: attendee } = contact
  const result = await writeToPatient(tx, scope, {
    contactId: contact.id,
    address: contact.email,
    after: past.findLast(({ messageId }) => messageId)?.messageId ?? null,
    subject,
    text: words.text,
    html: words.html,
    documentIds: [],
    files: hasInvitation(kind)
      ? visits.map((visit, place) =>
          invitationFor(scope, visit, { kind, phone, attendee, language, number: visits.length > 1 ? place + 1 : null }),
        )
      : [],
    ...(await secretLink(tx, scope, row, [words.text, words.html])),
    isCommercial: isCommercialCategory(category),
    idempotencyKey: randomUUID(),
  })
  if (!isRefusal(result)) return result
  if (result.refusal === 'SUPPRESSED') return 'suppressed'
  if (result.refusal === 'NO_CONSENT') return 'no-consent'
  if (result.refusal === 'NO_POSTAL_ADDRESS') return 'no-postal-address'
  throw new Error(`An appointment email was refused: ${result.refusal}`)
}

export async function nameOfProvider(tx: Db, providerId: string | null): Promise<string | null> {
  const [provider] = providerId ? await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, providerId)) : []
  return provider?.name ?? null
}

/**
 * What a text says of money: what was paid, kept and given back if it books or cancels, and until when a new time is free to change if something was
 * agreed.
 */
async function moneyFor(tx: Db, { env, now }: Scope, row: Row, kind: MailKind, language: Language): Promise<string[]> {
  if (kind === 'confirmation' || kind === 'cancelled') return moneyLines(tx, row, language)
  if (kind !== 'changed') return []
  const policy = await changePolicyOf(tx, row)
  return policy.money ? noticeFor(row, policy, now(), language, env) : []
}

type Policy = Awaited<ReturnType<typeof changePolicyOf>>

const noticeFor = ({ startsAt }: Row, { money, until }: Policy, now: Date, language: Language, env: Env): string[] =>
  until === null ? [] : noticeLines({ startsAt, until, lateFeeCents: money && money.lateFeeCents }, now, language, env.PRACTICE_TIME_ZONE)

/** What an email says below the words of its template; a reminder adds nothing. */
async function sectionsFor(tx: Db, scope: Scope, kind: MailKind, visits: AnnouncedVisits, language: Language): Promise<MailSection[]> {
  const [{ row }] = visits
  const { env, now } = scope
  const t = appointmentTexts[language]
  if (isReminder(kind)) return []
  const [intro, ...times] = visitLines(env, kind, visits, language)
  const series = intro === undefined ? [] : [{ title: intro, lines: kind === 'confirmation' ? [...times, t('mail.seriesLinks')] : times }]
  const offered = row.visitTypeId === null ? null : await readOffer(tx, row.visitTypeId)
  if (kind === 'cancelled') {
    const link = offered && { label: t('bookAgain'), url: env.APP_URL + bookingPath(offered.id, language) }
    return [...series, { title: t('mail.payment'), lines: await moneyLines(tx, row, language), link }]
  }
  const policy = await changePolicyOf(tx, row)
  const money = await moneyLines(tx, row, language)
  const terms = kind === 'confirmation' ? await acceptedTerms(tx, row, money.length > 0) : null
  const isOpen = policy.until !== null && now() <= policy.until
  const isPaid = terms?.isPaid === true && policy.money !== null && policy.money.depositCents > 0
  return [
    ...series,
    {
      title: t('mail.about'),
      lines: [
        ...(offered ? [visitLine(offered, (row.endsAt.getTime() - row.startsAt.getTime()) / 60_000, language)] : []),
        ...(isPaid ? [[...money, t('mail.counts')].join(' ')] : money),
        // Each visit of a series has its own, and terms that were accepted for a visit that is soon say it already.
        ...(visits.length > 1 || (terms && !isOpen) ? [] : noticeFor(row, policy, now(), language, env)),
      ],
      link: { label: t(isOpen ? 'mail.openToChange' : 'mail.open'), url: linkPlaceholder(env) },
    },
    ...(terms ? [{ title: appointmentTexts[terms.language]('mail.terms'), lines: terms.lines }] : []),
  ]
}

/** A visit by the name that patients read on the booking page, and its minutes. */
export const visitLine = ({ name, nameFr }: Pick<OfferedVisit, 'name' | 'nameFr'>, minutes: number, language: Language): string =>
  `${inLanguage(language, name, nameFr)}, ${appointmentTexts[language]('mail.minutes', { minutes })}`

/**
 * What the patient agreed to when booking, as they read it; null: nothing. The sentence that asked for the deposit or the card is left out once the email
 * says what was paid or left (`isSaid`).
 */
async function acceptedTerms(tx: Db, { id }: Row, isSaid: boolean) {
  const terms = await termsOfAppointment(tx, id)
  if (!terms) return null
  const { language, depositCents, text } = terms
  const t = termsTexts[language]
  const [first, ...rest] = text.split('\n')
  const isPaid = first === t('deposit', { amount: formatCents(depositCents, language) })
  return { language, isPaid, lines: isSaid && (isPaid || first === t('card')) ? rest : [first!, ...rest] }
}

/** The times of several appointments, below the template's text; empty for one. */
function visitLines({ PRACTICE_TIME_ZONE: zone }: Env, kind: MailKind, visits: AnnouncedVisits, language: Language): string[] {
  if (visits.length === 1) return []
  const times = visits.map(
    ({ details: { startsAt } }) => `${formatFullDay(startsAt, language, zone)}, ${formatClockTime(startsAt, language, zone)}`,
  )
  const intro = kind === 'cancelled' ? 'mail.cancelledSeries' : 'mail.series'
  return [appointmentTexts[language](intro, { count: visits.length }), ...times]
}

/** The values of a template's variables about an appointment, with the placeholder of its link. */
export const valuesOf = (
  env: Env,
  { startsAt, place }: NotifiedDetails,
  provider: string | null,
  language: Language,
): Record<AppointmentVariable, string> => ({
  appointment_day: formatFullDay(startsAt, language, env.PRACTICE_TIME_ZONE),
  appointment_time: formatClockTime(startsAt, language, env.PRACTICE_TIME_ZONE),
  appointment_provider: provider ?? appointmentTexts[language]('mail.team'),
  appointment_place: place,
  appointment_link: linkPlaceholder(env),
})

/** Reminders have no attachment, because they change nothing in a calendar. */
const hasInvitation = (kind: MailKind): kind is 'confirmation' | 'changed' | 'cancelled' =>
  kind === 'confirmation' || kind === 'changed' || kind === 'cancelled'

interface Invited {
  kind: MailKind
  phone: string
  attendee: string
  language: Language
  /** Of several files, because one may not hold several events (RFC 5546); null: the only one. */
  number: number | null
}

/** An appointment in a patient's calendar. It omits the purpose of the visit, because calendars are shared and shown on locked screens. */
function eventOf(env: Env, row: Row, { place, phone, language }: { place: string; phone: string; language: Language }): CalendarEvent {
  const t = appointmentTexts[language]
  return {
    uid: `${row.id}@${new URL(env.APP_URL).hostname}`,
    sequence: row.version,
    changedAt: row.updatedAt,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    title: t('mail.event', { practice: env.PRACTICE_NAME }),
    place,
    description: phone === '' ? null : t('mail.questions', { phone }),
    status: 'confirmed',
  }
}

/** The file with which a patient adds an appointment to a calendar: the same event as in its emails. */
export async function calendarFileFor(db: Db, { env }: Scope, row: Row, language: Language): Promise<string> {
  const { place } = await notifiedDetails(db, env, row)
  const phone = await phoneFor(db, env, row)
  return eventFile(eventOf(env, row, { place, phone, language }), env.PRACTICE_TIME_ZONE)
}

/** The invitation or its cancellation. */
function invitationFor({ env, now }: Scope, { row, details: { place } }: Announced, { kind, phone, attendee, language, number }: Invited) {
  const isOff = kind === 'cancelled'
  const organizer = { name: env.PRACTICE_NAME, email: env.MAIL_REPLY_TO }
  const event = { ...eventOf(env, row, { place, phone, language }), changedAt: now(), ...(isOff && { status: 'cancelled' as const }) }
  return {
    name: isOff ? 'cancelled.ics' : number === null ? 'appointment.ics' : `appointment-${number}.ics`,
    mimeType: `text/calendar; charset=utf-8; method=${isOff ? 'CANCEL' : 'REQUEST'}`,
    text: invitation(event, env.PRACTICE_TIME_ZONE, { organizer, attendee }),
  }
}
