import { eq } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import {
  dayAndTime,
  letterheadOf,
  money,
  patientFacts,
  type PracticeScope,
  type PdfDocument,
  pdfResponse,
} from '../../../kernel/pdf/document.ts'
import { renderPdf } from '../../../kernel/pdf/render.ts'
import { isUuid } from '../../../shared/text.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { receipts } from './receipt-list.ts'
import type { ReceiptState } from '../../payments/contract.ts'
import { formatTax } from '../rules.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { contactCustomers } from '../../quickbooks/table.ts'
import { salesReceipts } from '../../payments/table.ts'

type Row = typeof salesReceipts.$inferSelect

const warnings: Record<ReceiptState, string | null> = {
  pending: 'Not recorded yet',
  failed: 'Refused',
  cancelled: 'Cancelled',
  complete: null,
}

type Named = Pick<Row, 'kind' | 'docNumber' | 'qbId'>

/** 'Receipt 1042', 'Refund receipt 17'. */
export const receiptName = ({ kind, docNumber, qbId }: Named): string =>
  [kind === 'refund' ? 'Refund receipt' : 'Receipt', docNumber ?? qbId].filter((part) => part !== null).join(' ')

/** GET /api/pos/receipts/{id}.pdf: a receipt for staff to print or save. */
export async function receiptPdfResponse(scope: Scope, id: string): Promise<Response> {
  const row = isUuid(id) ? await rowOf(scope.db, id) : null
  if (!row) return Response.json({ code: 'NOT_FOUND', message: 'This receipt does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'sales receipt', contactIds: row.contactId ? [row.contactId] : [] })
  return pdfResponse(receiptName(row).toLowerCase(), await renderReceipt(scope, row))
}

async function rowOf(db: Db, id: string) {
  const [row] = await receipts(db).where(eq(salesReceipts.id, id))
  return row ?? null
}

export async function renderReceipt(scope: Pick<Scope, 'db'> & PracticeScope, row: Row): Promise<Uint8Array<ArrayBuffer>> {
  const sale = row.refundOf ? await rowOf(scope.db, row.refundOf) : null
  return renderPdf(receiptPdf(row, { sale, patient: await patientOf(scope.db, row) }, scope))
}

type Patient = Parameters<typeof patientFacts>[0]

/** The patient who is this customer of QuickBooks. */
async function patientOf(db: Db, { customerId }: Row): Promise<Patient | null> {
  const [patient] = await db
    .select({ firstName: contacts.firstName, lastName: contacts.lastName, dateOfBirth: contacts.dateOfBirth })
    .from(contactCustomers)
    .innerJoin(contacts, eq(contacts.id, contactCustomers.contactId))
    .where(eq(contactCustomers.customerId, customerId))
  return patient ?? null
}

/** A receipt as a PDF; for a refund, the refunded amounts and the original sale. */
function receiptPdf(row: Row, { sale, patient }: { sale: Named | null; patient: Patient | null }, practice: PracticeScope): PdfDocument {
  const isRefund = row.kind === 'refund'
  // Refunds are stored as negative amounts but printed as positive ones.
  const amount = (cents: number) => money(isRefund ? 0 - cents : cents)
  const facts: [string, string | null][] = [
    ['Customer', row.customerName],
    ['Date', dayAndTime(row.createdAt, practice.env.PRACTICE_TIME_ZONE)],
    ['Number', row.docNumber],
    ['Refund of', sale && receiptName(sale)],
    ['Reason', row.refundReason],
    [isRefund ? 'Refund method' : 'Paid by', row.paymentMethod],
    ['Description', row.isDeposit ? 'Deposit for future treatment' : null],
    ['Memo', row.memo],
  ]
  return {
    letterhead: letterheadOf(practice),
    title: receiptName(row),
    warning: warnings[row.state],
    facts: [
      // The customer is the person who pays. Without a birth date, the patient's name would say nothing more.
      ...(patient && patient.dateOfBirth !== null ? patientFacts(patient) : []),
      ...facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
    ],
    parts: [
      {
        columns: [
          { label: 'Item' },
          { label: 'Tax', width: 90 },
          { label: 'Quantity × price', width: 110, isAmount: true },
          { label: 'Amount', width: 90, isAmount: true },
        ],
        rows: row.lines.map((line) => [
          described(line.name, [line.description === line.name ? null : line.description, exemption(line)]),
          line.taxCodeName,
          `${line.quantity} × ${amount(line.unitPriceCents)}`,
          amount(line.amountCents),
        ]),
      },
      {
        sums: [
          { label: 'Subtotal', amount: amount(row.subtotalCents) },
          ...(row.discountCents === 0 ? [] : [{ label: `Discount ${row.discountPercent / 100}%`, amount: amount(0 - row.discountCents) }]),
          ...row.taxes.map((tax) => ({ label: `${formatTax(tax)} on ${amount(tax.base)}`, amount: amount(tax.tax) })),
          { label: isRefund ? 'Total refunded' : 'Total', amount: amount(row.totalCents), isStrong: true },
        ],
      },
    ],
    notes: [],
  }
}

const exemption = ({ exemptReason }: Row['lines'][number]): string | null => exemptReason && `Exempt: ${exemptReason}`

function described(text: string, details: (string | null)[]) {
  const detail = details.filter((part) => part !== null).join('\n')
  return detail === '' ? text : { text, detail }
}
