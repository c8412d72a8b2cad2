import { and, asc, desc, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm'
import { maySee } from '../../kernel/access/information.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { appointments, visitTerms } from '../../care/appointments/table.ts'
import { consentForms } from '../../chart/consent-forms/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { conversations, messages } from '../../messages/inbox/table.ts'
import type { CardPayment } from '../cards/table.ts'
import { salesReceipts } from '../payments/table.ts'
import { visitFees } from '../visit-fees/table.ts'
import type { Evidence } from './rules.ts'

/** Months before the payment from which visits, contacts and consents count. */
const monthsBefore = 12
const maxVisits = 20
const maxContacts = 50

/** What the practice can show the bank about a payment, as far as the actor may see it. */
export async function evidenceOf({ db, actor }: { db: Db; actor: Scope['actor'] }, payment: CardPayment): Promise<Evidence> {
  const { contactId, createdAt, address, device } = payment
  const since = sql`${createdAt.toISOString()}::timestamptz - ${`${monthsBefore} months`}::interval`
  const { firstName, lastName, email } = contacts
  const { text, acceptedAt, address: termsAddress, device: termsDevice } = visitTerms
  const [[patient], [receipt], terms, visits, written, calls, consents] = await Promise.all([
    db.select({ firstName, lastName, email }).from(contacts).where(eq(contacts.id, contactId)),
    payment.receiptId === null
      ? []
      : db
          .select({ number: salesReceipts.docNumber, totalCents: salesReceipts.totalCents, completedAt: salesReceipts.completedAt })
          .from(salesReceipts)
          .where(eq(salesReceipts.id, payment.receiptId)),
    db.select({ text, acceptedAt, address: termsAddress, device: termsDevice }).from(visitTerms).where(isOfPayment(db, payment)),
    db
      .select({ startsAt: appointments.startsAt, status: appointments.status })
      .from(appointments)
      .where(and(eq(appointments.contactId, contactId), gte(appointments.startsAt, since)))
      .orderBy(desc(appointments.startsAt))
      .limit(maxVisits),
    db
      .select({ at: messages.createdAt, channel: conversations.channel, direction: messages.direction })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          eq(conversations.contactId, contactId),
          gte(messages.createdAt, since),
          inArray(messages.status, ['sent', 'delivered', 'received']),
        ),
      )
      .orderBy(desc(messages.createdAt))
      .limit(maxContacts),
    db
      .select({ at: interactions.date })
      .from(interactions)
      .where(and(eq(interactions.contactId, contactId), eq(interactions.type, 'call'), gte(interactions.date, since)))
      .orderBy(desc(interactions.date))
      .limit(maxContacts),
    maySee(actor, 'consentStatus')
      ? db
          .select({ text: consentForms.text, signedAt: consentForms.signedAt })
          .from(consentForms)
          .where(and(eq(consentForms.contactId, contactId), isNotNull(consentForms.signedAt), gte(consentForms.signedAt, since)))
          .orderBy(asc(consentForms.signedAt))
          .limit(maxVisits)
      : null,
  ])
  const spoken = [
    ...written.map(({ at, channel, direction }) => ({ at, channel: channel as string, isFromPatient: direction === 'inbound' })),
    ...calls.map(({ at }) => ({ at, channel: 'call', isFromPatient: false })),
  ]
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
    visits: visits.toReversed(),
    contacts: spoken.toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(-maxContacts),
    consents: consents?.map(({ text, signedAt }) => ({ name: text?.title ?? 'Consent form on paper', signedAt: signedAt! })) ?? null,
  }
}

/** The terms that the patient accepted with the booking that a payment is for: its deposit, or the fee of the visit. */
function isOfPayment(db: Db, { purpose, referenceId }: CardPayment) {
  if (purpose === 'deposit') return eq(visitTerms.id, referenceId)
  if (purpose !== 'fee') return sql`false`
  const visit = db.select({ id: visitFees.appointmentId }).from(visitFees).where(eq(visitFees.id, referenceId))
  return inArray(visitTerms.appointmentId, visit)
}
