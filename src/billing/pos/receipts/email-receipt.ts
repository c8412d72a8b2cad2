import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../../kernel/jobs.ts'
import { pdfAttachment } from '../../../kernel/pdf/document.ts'
import { invalidReference, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { emailsOf, findByEmail, languageOf } from '../../../crm/contacts/service.ts'
import { addSentEmail, addDeliveryFailure } from '../../../crm/interactions/service.ts'
import { plainMail } from '../../../platform/mail/rules.ts'
import { handOver, patientClosing } from '../../../platform/mail/service.ts'
import { objectsOf } from '../../quickbooks/service.ts'
import { contactOfCustomer, linkedContact } from '../contact-link.ts'
import { posMessages } from '../contract.ts'
import type { ReceiptAddress } from '../receipt-contract.ts'
import { receiptName } from '../rules.ts'
import { patientReceiptName, renderReceipt } from './receipt-pdf.ts'
import { salesReceipts } from '../../payments/table.ts'
import type { Language } from '../../../shared/translations.ts'
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
    const { contactId } = await addressesOf(scope.db, row)
    const language = contactId ? await languageOf(scope.db, contactId) : 'en'
    const pdf = await renderReceipt(scope, row, language)
    const mail = plainMail(to, composeEmail(scope, row, language), [pdfAttachment(pdf.name, pdf.bytes)])
    const problem = await handOver(scope, mail, attempt)
    if (problem) await addDeliveryFailure(scope, entryId, `${receiptName(row)} could not be emailed to ${to}: ${problem}`)
  },
})

/** Doesn't name the items: subjects and first lines appear where others may read them. */
function composeEmail({ env }: Pick<Scope, 'env'>, row: Row, language: Language) {
  const t = receiptTexts[language]
  const receipt = patientReceiptName(row, language)
  const text = [t('hello'), t(row.kind === 'refund' ? 'refundAttached' : 'attached', { receipt }), patientClosing(env, language)].join(
    '\n\n',
  )
  return { subject: t('subject', { receipt, practice: env.PRACTICE_NAME }), text }
}
