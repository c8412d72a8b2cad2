import { and, desc, eq, gte, inArray, isNull, lte, ne, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { maySee } from '../../kernel/access/information.ts'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { appointments, visitTerms } from '../../care/appointments/table.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import { consentForms } from '../../chart/consent-forms/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { conversations, messages } from '../../messages/inbox/table.ts'
import type { CardPayment } from '../cards/table.ts'
import { salesReceipts } from '../payments/table.ts'
import { visitFees } from '../visit-fees/table.ts'
import { attendedStatuses, type Evidence } from './rules.ts'

/** Visits, contacts and consents count from these months before the payment to the day on which the dispute was opened. Those nearest to the payment come first. */
const monthsBefore = 12
const maxVisits = 20
const maxContacts = 50

/** What the practice can show the bank about a payment that was disputed at `openedAt`, as far as the actor may see it. */
export async function evidenceOf(
  { db, actor }: { db: Db; actor: Scope['actor'] },
  payment: CardPayment,
  openedAt: Date,
): Promise<Evidence> {
  const { contactId, createdAt, address, device } = payment
  const paid = sql`${createdAt.toISOString()}::timestamptz`
  const isInWindow = (at: SQLWrapper) => and(gte(at, sql`${paid} - ${`${monthsBefore} months`}::interval`), lte(at, openedAt))
  const distance = (at: SQLWrapper) => sql`abs(extract(epoch from ${at} - ${paid}))`
  const { firstName, lastName, email } = contacts
  const { text, acceptedAt, address: termsAddress, device: termsDevice } = visitTerms
  const [[patient], [receipt], terms, serviceAt, visits, operations, written, calls, consents] = await Promise.all([
    db.select({ firstName, lastName, email }).from(contacts).where(eq(contacts.id, contactId)),
    payment.receiptId === null
      ? []
      : db
          .select({ number: salesReceipts.docNumber, totalCents: salesReceipts.totalCents, completedAt: salesReceipts.completedAt })
          .from(salesReceipts)
          .where(eq(salesReceipts.id, payment.receiptId)),
    db.select({ text, acceptedAt, address: termsAddress, device: termsDevice }).from(visitTerms).where(isOfPayment(db, payment)),
    serviceOf(db, payment, openedAt),
    db
      .select({ startsAt: appointments.startsAt, status: sql<string>`${appointments.status}` })
      .from(appointments)
      .where(and(eq(appointments.contactId, contactId), isInWindow(appointments.startsAt)))
      .orderBy(distance(appointments.startsAt))
      .limit(maxVisits),
    db
      .select({ startsAt: surgeries.startsAt, status: surgeryStatus })
      .from(surgeries)
      .where(and(eq(surgeries.contactId, contactId), isInWindow(surgeries.startsAt)))
      .orderBy(distance(surgeries.startsAt))
      .limit(maxVisits),
    db
      .select({ at: messages.createdAt, channel: conversations.channel, direction: messages.direction })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          eq(conversations.contactId, contactId),
          isInWindow(messages.createdAt),
          inArray(messages.status, ['sent', 'delivered', 'received']),
        ),
      )
      .orderBy(distance(messages.createdAt))
      .limit(maxContacts),
    db
      .select({ at: interactions.date })
      .from(interactions)
      .where(and(eq(interactions.contactId, contactId), isCall, isInWindow(interactions.date)))
      .orderBy(distance(interactions.date))
      .limit(maxContacts),
    maySee(actor, 'consentStatus') || mayUse(permissions['disputes.submit'], actor)
      ? db
          .select({ text: consentForms.text, signedAt: consentForms.signedAt })
          .from(consentForms)
          .where(and(eq(consentForms.contactId, contactId), isInWindow(consentForms.signedAt)))
          .orderBy(distance(consentForms.signedAt))
          .limit(maxVisits)
      : null,
  ])
  const spoken = [
    ...written.map(({ at, channel, direction }) => ({ at, channel: channel as string, isFromPatient: direction === 'inbound' })),
    ...calls.map(({ at }) => ({ at, channel: 'call', isFromPatient: null })),
  ]
  /** The nearest to the payment, oldest first. */
  const nearest = <Row>(rows: readonly Row[], timeOf: (row: Row) => Date, max: number): Row[] => {
    const distanceOf = (row: Row) => Math.abs(timeOf(row).getTime() - createdAt.getTime())
    const kept = rows.toSorted((a, b) => distanceOf(a) - distanceOf(b)).slice(0, max)
    return kept.toSorted((a, b) => timeOf(a).getTime() - timeOf(b).getTime())
  }
  return {
    patient: { name: `${patient!.firstName} ${patient!.lastName}`.trim(), email: patient!.email },
    payment: {
      amountCents: payment.amountCents,
      paidAt: payment.paidAt ?? createdAt,
      isInPerson: payment.purpose === 'sale',
      card: payment.cardBrand === null ? null : { brand: payment.cardBrand, last4: payment.cardLast4 ?? '' },
      // At the desk it is the practice's own.
      address: payment.purpose === 'sale' ? null : address,
      device: payment.purpose === 'sale' ? null : device,
      startedAt: createdAt,
    },
    acceptances: [
      ...terms.map(({ text, ...accepted }) => ({ title: 'Terms of the visit', text, ...accepted })),
      ...(payment.consentText === null
        ? []
        : [{ title: 'Consent to keep the card', text: payment.consentText, acceptedAt: createdAt, address, device }]),
    ],
    receipt: receipt ?? null,
    serviceAt,
    visits: nearest([...visits, ...operations], ({ startsAt }) => startsAt, maxVisits),
    contacts: nearest(spoken, ({ at }) => at, maxContacts),
    consents:
      consents &&
      nearest(
        consents.map(({ text, signedAt }) => ({
          name: maySee(actor, 'consentStatus') ? (text?.title ?? 'Consent form on paper') : null,
          signedAt: signedAt!,
        })),
        ({ signedAt }) => signedAt,
        maxVisits,
      ),
  }
}

/** Calls that may have reached the patient: without an outcome, no one knows. */
const isCall = and(eq(interactions.type, 'call'), or(isNull(interactions.outcome), ne(interactions.outcome, 'no_answer')))

/** A surgery as a visit. Its own words would say that it was one. */
const surgeryStatus: SQL<string> = sql<string>`case when ${surgeries.status} in ('completed', 'cancelled') then ${surgeries.status}
  when ${surgeries.status} = 'postponed' then 'cancelled' else 'booked' end`

/** When the visit that a payment is for begins: that of the deposit or fee, or else the last that the patient attended before the payment was disputed. */
async function serviceOf(db: Db, payment: CardPayment, openedAt: Date): Promise<Date | null> {
  const [own] = await db
    .select({ startsAt: appointments.startsAt })
    .from(visitTerms)
    .innerJoin(appointments, eq(appointments.id, visitTerms.appointmentId))
    .where(isOfPayment(db, payment))
  if (own) return own.startsAt
  const { contactId } = payment
  const [[visit], [operation]] = await Promise.all([
    db
      .select({ startsAt: appointments.startsAt })
      .from(appointments)
      .where(
        and(
          eq(appointments.contactId, contactId),
          inArray(appointments.status, [...attendedStatuses]),
          lte(appointments.startsAt, openedAt),
        ),
      )
      .orderBy(desc(appointments.startsAt))
      .limit(1),
    db
      .select({ startsAt: surgeries.startsAt })
      .from(surgeries)
      .where(and(eq(surgeries.contactId, contactId), eq(surgeries.status, 'completed'), lte(surgeries.startsAt, openedAt)))
      .orderBy(desc(surgeries.startsAt))
      .limit(1),
  ])
  const attended = [visit, operation].flatMap((one) => (one ? [one.startsAt.getTime()] : []))
  return attended.length === 0 ? null : new Date(Math.max(...attended))
}

/** The terms that the patient accepted with the booking that a payment is for: its deposit, or the fee of the visit. */
function isOfPayment(db: Db, { purpose, referenceId }: CardPayment) {
  if (purpose === 'deposit') return eq(visitTerms.id, referenceId)
  if (purpose !== 'fee') return sql`false`
  const visit = db.select({ id: visitFees.appointmentId }).from(visitFees).where(eq(visitFees.id, referenceId))
  return inArray(visitTerms.appointmentId, visit)
}
