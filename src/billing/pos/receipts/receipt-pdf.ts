import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { letterheadOf, patientFacts, type PracticeScope, type PdfDocument, pdfResponse } from '../../../kernel/pdf/document.ts'
import { renderPdf } from '../../../kernel/pdf/render.ts'
import { isUuid } from '../../../shared/text.ts'
import { formatCents, formatMediumInstant, formatPercent, inLanguage, type Language, toLanguage } from '../../../shared/translations.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { cardMethod } from '../../cards/rules.ts'
import { appliedOf } from '../../collections/service.ts'
import { codeOf } from '../../prepaid/service.ts'
import { prepaidAccounts } from '../../prepaid/table.ts'
import { receipts } from './receipt-list.ts'
import { describeDeposit, patientMethod, patientTax, patientTaxCode } from '../patient-rules.ts'
import type { NamedReceipt } from '../rules.ts'
import { type FrenchProcedure, frenchTitle } from '../../../crm/procedures/rules.ts'
import { frenchProcedures } from '../../../crm/procedures/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { contactCustomers } from '../../quickbooks/table.ts'
import { salesReceipts } from '../../payments/table.ts'
import { receiptTexts } from './texts.ts'

type Row = typeof salesReceipts.$inferSelect

/** 'Receipt 1042', 'Reçu de remboursement 17'. */
export const patientReceiptName = ({ kind, docNumber, qbId }: NamedReceipt, language: Language): string =>
  receiptTexts[language](kind === 'refund' ? 'refund' : 'receipt', { number: docNumber ?? qbId ?? '' }).trim()

/** GET /api/pos/receipts/{id}.pdf: a receipt for staff to print or save, in the patient's language unless another is chosen. */
export async function receiptPdfResponse(scope: Scope, id: string, chosen: Language | null): Promise<Response> {
  const row = isUuid(id) ? await rowOf(scope.db, id) : null
  if (!row) return Response.json({ code: 'NOT_FOUND', message: 'This receipt does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'sales receipt', contactIds: row.contactId ? [row.contactId] : [] })
  const { name, bytes } = await renderReceipt(scope, row, chosen)
  return pdfResponse(name, bytes)
}

async function rowOf(db: Db, id: string) {
  const [row] = await receipts(db).where(eq(salesReceipts.id, id))
  return row ?? null
}

/** A receipt as a PDF, with the name of its file, in the patient's language unless another is chosen. */
export async function renderReceipt(scope: Pick<Scope, 'db'> & PracticeScope, row: Row, chosen: Language | null = null) {
  const sale = row.refundOf ? await rowOf(scope.db, row.refundOf) : null
  const patient = await patientOf(scope.db, row)
  const language = chosen ?? toLanguage(patient?.language) ?? 'en'
  const [frenchNames, giftCards, appliedCents] = await Promise.all([
    frenchProcedures(scope.db),
    giftCardsOf(scope, row),
    appliedOf(scope.db, row.id),
  ])
  const content = receiptPdf(row, { sale, patient, frenchNames, giftCards, appliedCents }, scope, language)
  return { name: patientReceiptName(row, language).toLowerCase(), bytes: await renderPdf(content) }
}

/** The codes of the gift cards that a receipt sold. Anyone with a code can use it. */
async function giftCardsOf(scope: Pick<Scope, 'db'> & PracticeScope, { id, lines, state }: Row) {
  if (state !== 'complete' || lines.every(({ issues }) => issues !== 'gift-card')) return []
  const isSold = and(eq(prepaidAccounts.receiptId, id), eq(prepaidAccounts.kind, 'gift-card'))
  const cards = await scope.db.select().from(prepaidAccounts).where(isSold).orderBy(prepaidAccounts.id)
  return cards.flatMap((card) => {
    const code = codeOf(scope.env, card)
    return code === null ? [] : [{ code, cents: lines[card.line!]!.unitPriceCents }]
  })
}

/** The same for staff, who give them to the buyer. Null: receipt not found. */
export async function soldGiftCards(scope: Scope, id: string) {
  const row = await rowOf(scope.db, id)
  if (!row) return null
  await scope.recordView({ kind: 'sales receipt', contactIds: row.contactId ? [row.contactId] : [] })
  return giftCardsOf(scope, row)
}

type Patient = Parameters<typeof patientFacts>[0] & { language: string | null }

/** The patient who is this customer of QuickBooks. */
async function patientOf(db: Db, { customerId }: Row): Promise<Patient | null> {
  const [patient] = await db
    .select({
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      dateOfBirth: contacts.dateOfBirth,
      language: contacts.preferredLanguage,
    })
    .from(contactCustomers)
    .innerJoin(contacts, eq(contacts.id, contactCustomers.contactId))
    .where(eq(contactCustomers.customerId, customerId))
  return patient ?? null
}

interface Given {
  sale: NamedReceipt | null
  patient: Patient | null
  frenchNames: readonly FrenchProcedure[]
  /** The gift cards that it sold. */
  giftCards: readonly { code: string; cents: number }[]
  /** What has paid charges, in cents. */
  appliedCents: number
}

/** A receipt as a PDF; for a refund, the refunded amounts and the original sale. */
function receiptPdf(
  row: Row,
  { sale, patient, frenchNames, giftCards, appliedCents }: Given,
  practice: PracticeScope,
  language: Language,
): PdfDocument {
  const t = receiptTexts[language]
  const isRefund = row.kind === 'refund'
  // Refunds are stored as negative amounts but printed as positive ones.
  const amount = (cents: number) => formatCents(isRefund ? 0 - cents : cents, language)
  const prepaid = row.prepaid.flatMap((use) => (use.kind === 'fee' ? [] : [{ ...use, kind: use.kind }]))
  // The item of card payments is named for the liability that they are in QuickBooks.
  const isPayment = row.isDeposit && appliedCents > 0 && row.paymentMethod === cardMethod
  const exemption = ({ exemptReason }: Row['lines'][number]) => exemptReason && t('exempt', { reason: exemptReason })
  const facts: [string, string | null][] = [
    [t('customer'), row.customerName],
    [t('date'), formatMediumInstant(row.createdAt, language, practice.env.PRACTICE_TIME_ZONE)],
    [t('number'), row.docNumber],
    [t('refundOf'), sale && patientReceiptName(sale, language)],
    [t('reason'), row.refundReason],
    [t(isRefund ? 'refundMethod' : 'paidBy'), row.paymentMethod && patientMethod(row.paymentMethod, language)],
    [t('description'), row.isDeposit ? describeDeposit(row, appliedCents, language) : null],
    [t('memo'), row.memo],
  ]
  return {
    letterhead: letterheadOf(practice, language),
    title: patientReceiptName(row, language),
    warning: row.state === 'complete' ? null : t(`states.${row.state}`),
    language,
    facts: [
      // The customer is the person who pays. Without a birth date, the patient's name would say nothing more.
      ...(patient && patient.dateOfBirth !== null ? patientFacts(patient, language) : []),
      ...facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
    ],
    parts: [
      {
        columns: [
          { label: t('item') },
          { label: t('tax'), width: 90 },
          { label: t('price'), width: 110, isAmount: true },
          { label: t('amount'), width: 90, isAmount: true },
        ],
        rows: row.lines.map((line) => [
          described(isPayment ? t('paymentItem') : inLanguage(language, line.name, frenchTitle(line.name, frenchNames)), [
            line.description === line.name ? null : line.description,
            exemption(line),
          ]),
          patientTaxCode(line.taxCodeName, language),
          `${line.quantity} × ${amount(line.unitPriceCents)}`,
          amount(line.amountCents),
        ]),
      },
      {
        sums: [
          { label: t('subtotal'), amount: amount(row.subtotalCents) },
          ...(row.discountCents === 0
            ? []
            : [
                {
                  label: t('discount', { percent: formatPercent(row.discountPercent / 100, language) }),
                  amount: amount(0 - row.discountCents),
                },
              ]),
          ...row.taxes.map((tax) => ({
            label: t('taxOn', { tax: patientTax(tax, language), amount: amount(tax.base) }),
            amount: amount(tax.tax),
          })),
          { label: t(isRefund ? 'totalRefunded' : 'total'), amount: amount(row.totalCents), isStrong: true },
          // What the practice bears is no concern of the patient.
          ...prepaid.map(({ kind, last4, amountCents }) => ({
            label: last4 === null ? t(`prepaid.${kind}`) : t('giftCardUsed', { last4 }),
            amount: amount(0 - amountCents),
          })),
          ...(prepaid.length > 0
            ? [{ label: t(isRefund ? 'moneyRefunded' : 'money'), amount: amount(row.totalCents - row.prepaidCents), isStrong: true }]
            : []),
        ],
      },
    ],
    notes: [
      ...giftCards.map(({ code, cents }) => t('giftCard', { code, amount: formatCents(cents, language) })),
      ...(giftCards.length > 0 ? [t('giftCardTerms', { practice: practice.env.PRACTICE_NAME })] : []),
    ],
  }
}

function described(text: string, details: (string | null)[]) {
  const detail = details.filter((part) => part !== null).join('\n')
  return detail === '' ? text : { text, detail }
}
