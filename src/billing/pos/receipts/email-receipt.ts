import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../../kernel/jobs.ts'
import { pdfAttachment } from '../../../kernel/pdf/document.ts'
import { invalidReference, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { emailsOf, findByEmail, languageOf } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addSentEmail, addDeliveryFailure } from '../../../crm/interactions/service.ts'
import { plainMail } from '../../../platform/mail/rules.ts'
import { handOver, patientClosing } from '../../../platform/mail/service.ts'
import { cardPayments } from '../../cards/table.ts'
import { appliedOf } from '../../collections/service.ts'
import { objectsOf } from '../../quickbooks/service.ts'
import { quotes } from '../../quotes/table.ts'
import { contactOfCustomer, linkedContact } from '../contact-link.ts'
import { posMessages } from '../contract.ts'
import type { ReceiptAddress } from '../receipt-contract.ts'
import { patientMethod } from '../patient-rules.ts'
import { receiptName } from '../rules.ts'
import { patientReceiptName, renderReceipt } from './receipt-pdf.ts'
import { salesReceipts } from '../../payments/table.ts'
import { cardName } from '../../../shared/cards.ts'
import { formatCents, type Language } from '../../../shared/translations.ts'
import { receiptTexts } from './texts.ts'

type Row = typeof salesReceipts.$inferSelect

async function rowOf(db: Db, id: string): Promise<Row | null> {
  const [row] = await db.select().from(salesReceipts).where(eq(salesReceipts.id, id))
  return row ?? null
}

/** Addresses a receipt may be sent to: the patient's and the customer's, so that a typo can't send it to someone else. */
async function addressesOf(db: Db, { customerId }: Row): Promise<{ contactId: string | null; addresses: ReceiptAddress[] }> {
  const [customer] = await objectsOf(db, 'customer', [customerId])
  const linked = await linkedContact(db, customerId)
  const contactId = linked ?? (customer?.email ? ((await findByEmail(db, customer.email))?.id ?? null) : null)
  const own = contactId ? ((await emailsOf(db, contactId)) ?? []) : []
  const isListed = (email: string) => own.some((one) => isSame(one, email))
  return {
    contactId,
    addresses: [
      ...own.map((email) => ({ email, owner: 'patient' as const })),
      ...(customer?.email && !isListed(customer.email) ? [{ email: customer.email, owner: 'customer' as const }] : []),
    ],
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The addresses to choose from. Null: receipt not found. */
export async function receiptAddresses(scope: Scope, id: string): Promise<ReceiptAddress[] | null> {
  const row = await rowOf(scope.db, id)
  if (!row) return null
  const { contactId, addresses } = await addressesOf(scope.db, row)
  await scope.recordView({ kind: 'sales receipt', contactIds: contactId ? [contactId] : [] })
  return addresses
}

type Given = { id: string; email: string; idempotencyKey: string }

/** Queues the email of a complete receipt: job and timeline entry are written together, once per key. Null: receipt not found. */
export async function emailReceipt(scope: Scope, { id, email, idempotencyKey }: Given) {
  return scope.db.transaction(async (tx) => {
    const row = await rowOf(tx, id)
    if (!row) return null
    if (row.state !== 'complete') return refuse('NOT_COMPLETE')
    const { addresses } = await addressesOf(tx, row)
    const chosen = addresses.find((address) => isSame(address.email, email))
    // The owner of the address is a patient, or becomes one as in the sale itself.
    const contactId = chosen && (await contactOfCustomer(tx, scope, row.customerId))
    if (!chosen || !contactId) return invalidReference({ email: posMessages.unknownAddress })
    const written = await addSentEmail(tx, scope, {
      id: idempotencyKey,
      contactId,
      description: `${receiptName(row)} emailed to ${chosen.email}`,
      metadata: { about: 'payment', receiptId: id, email: chosen.email },
    })
    if (written === 'key-reused') return refuse('KEY_REUSED')
    if (written === 'added') await enqueue(tx, mailReceipt, { id, to: chosen.email, entryId: idempotencyKey })
    return { email: chosen.email }
  })
}

/** Renders a receipt and sends it through Postmark. A final failure is added to the timeline. */
export const mailReceipt = defineJob({
  name: 'pos.mail-receipt',
  payload: z.object({ id: z.uuid(), to: z.string(), entryId: z.uuid() }),
  async run(scope, { id, to, entryId }, attempt) {
    const row = await rowOf(scope.db, id)
    if (!row) return
    const { contactId, addresses } = await addressesOf(scope.db, row)
    const language = contactId ? await languageOf(scope.db, contactId) : 'en'
    const isPatient = addresses.some(({ email, owner }) => owner === 'patient' && isSame(email, to))
    const name = contactId && isPatient ? await firstNameOf(scope.db, contactId) : null
    const pdf = await renderReceipt(scope, row, language)
    const letter = composeEmail(scope, row, { paid: await describePaid(scope.db, row, language), name, language })
    const problem = await handOver(scope, plainMail(to, letter, [pdfAttachment(pdf.name, pdf.bytes)]), attempt)
    if (problem) await addDeliveryFailure(scope, entryId, `${receiptName(row)} could not be emailed to ${to}: ${problem}`)
  },
})

async function firstNameOf(db: Db, contactId: string): Promise<string | null> {
  const { firstName, preferredName } = contacts
  const [contact] = await db.select({ firstName, preferredName }).from(contacts).where(eq(contacts.id, contactId))
  return contact ? contact.preferredName || contact.firstName : null
}

/** What was paid or refunded, how much and how. Doesn't name the items: the first lines appear where others may read them. */
async function describePaid(db: Db, row: Row, language: Language): Promise<string> {
  const t = receiptTexts[language]
  const { kind, totalCents, paymentMethod, isDeposit } = row
  const method = paymentMethod && patientMethod(paymentMethod, language)
  const money = (cents: number) => formatCents(cents, language)
  if (kind === 'refund') return [t('refunded', { amount: money(-totalCents) }), ...(method ? [t('refundedBy', { method })] : [])].join(' ')
  const [card] = await db
    .select({ payment: cardPayments, quoteNumber: quotes.number })
    .from(cardPayments)
    .leftJoin(quotes, and(eq(cardPayments.purpose, 'quote'), eq(quotes.id, cardPayments.referenceId)))
    .where(eq(cardPayments.receiptId, row.id))
  const amount = money(totalCents)
  const purpose = card?.payment.purpose ?? (isDeposit && row.chargeId === null ? 'future' : 'sale')
  const applied = isDeposit && purpose !== 'deposit' && purpose !== 'future' ? await appliedOf(db, row.id) : totalCents
  const { cardBrand: brand, cardLast4: last4 } = card?.payment ?? {}
  const how = brand && last4 ? cardName({ brand, last4 }, language) : method
  return [
    purpose === 'quote' ? quotePaid(t, amount, card!.quoteNumber) : t(`paid.${purpose}`, { amount }),
    ...(applied > 0 && applied < totalCents ? [t('kept', { rest: money(totalCents - applied) })] : []),
    ...(how ? [t('paidWith', { how })] : []),
  ].join(' ')
}

const quotePaid = (t: (typeof receiptTexts)[Language], amount: string, number: number | null): string =>
  number === null ? t('paid.balance', { amount }) : t('paid.quote', { amount, number })

interface Letter {
  paid: string
  /** How the patient is called; null: the address is another's. */
  name: string | null
  language: Language
}

function composeEmail({ env }: Pick<Scope, 'env'>, row: Row, { paid, name, language }: Letter) {
  const t = receiptTexts[language]
  const receipt = patientReceiptName(row, language)
  const text = [
    name === null ? t('hello') : t('helloName', { name }),
    paid,
    t(row.kind === 'refund' ? 'refundAttached' : 'attached', { receipt }),
    patientClosing(env, language),
  ].join('\n\n')
  return { subject: t('subject', { receipt, practice: env.PRACTICE_NAME }), text }
}
