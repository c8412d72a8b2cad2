import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import {
  day,
  dayAndTime,
  letterheadOf,
  money,
  patientFacts,
  type PracticeScope,
  type PdfDocument,
  type PdfTable,
  pdfResponse,
} from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { formatTax } from '../pos/rules.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Row } from './lock.ts'
import { defaultDepositName, discountLabel, instalmentLabels, quoteName, type ShownStatus, shownStatus } from './rules.ts'
import { quotes } from './table.ts'

const warnings: Record<ShownStatus, string | null> = {
  draft: 'Draft',
  sent: null,
  accepted: null,
  declined: 'Declined',
  superseded: 'Replaced by a newer version',
  withdrawn: 'Withdrawn',
  expired: 'No longer valid',
}

/** GET /api/quotes/{id}.pdf: a quote version for staff to print or save. */
export async function quotePdfResponse(scope: Scope, id: string): Promise<Response> {
  const [row] = isUuid(id) ? await scope.db.select().from(quotes).where(eq(quotes.id, id)) : []
  if (!row) return Response.json({ code: 'NOT_FOUND', message: 'This quote does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'quote', contactIds: [row.contactId] })
  return pdfResponse(pdfName(row), await renderQuote(scope, row))
}

export const pdfName = (row: Row): string => quoteName(row).toLowerCase()

export async function renderQuote(scope: Pick<Scope, 'db' | 'now'> & PracticeScope, row: Row): Promise<Uint8Array<ArrayBuffer>> {
  return renderPdf(quotePdf(row, await namesOf(scope.db, row), dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE), scope))
}

interface Names {
  patient: Parameters<typeof patientFacts>[0] | undefined
  surgeryAt: Date | null
}

async function namesOf(db: Db, { contactId, surgeryId }: Row): Promise<Names> {
  const [contact] = await db.select().from(contacts).where(eq(contacts.id, contactId))
  const [one] = surgeryId ? await db.select({ startsAt: surgeries.startsAt }).from(surgeries).where(eq(surgeries.id, surgeryId)) : []
  return { patient: contact, surgeryAt: one?.startsAt ?? null }
}

function quotePdf(row: Row, { patient, surgeryAt }: Names, today: string, practice: PracticeScope): PdfDocument {
  const { env } = practice
  const zone = env.PRACTICE_TIME_ZONE
  const status = shownStatus(row, today)
  const surgeryDay = surgeryAt && dayAt(surgeryAt, zone)
  const facts: [string, string | null][] = [
    ['Procedure', row.title],
    ['Surgery', surgeryDay && day(surgeryDay)],
    ['Date', day(dayAt(row.sentAt ?? row.createdAt, zone))],
    ['Valid until', day(row.validUntil)],
    ['Accepted', status === 'accepted' ? acceptance(row, zone) : null],
  ]
  return {
    letterhead: letterheadOf(practice),
    title: quoteName(row),
    warning: warnings[status],
    facts: [...(patient ? patientFacts(patient) : []), ...facts.flatMap(([label, value]) => (value ? [{ label, value }] : []))],
    parts: [
      linesOf(row),
      {
        sums: [
          { label: 'Subtotal', amount: money(row.subtotalCents) },
          ...(row.discountCents > 0 ? [{ label: discountLabel(row), amount: money(-row.discountCents) }] : []),
          ...row.taxes.map((tax) => ({ label: `${formatTax(tax)} on ${money(tax.base)}`, amount: money(tax.tax) })),
          { label: 'Total', amount: money(row.totalCents), isStrong: true },
        ],
      },
      paymentsOf(row, surgeryDay),
    ],
    notes: [
      ...(row.note ? [row.note] : []),
      ...(row.isBeforeSurgery && surgeryDay === null ? ['All of it is due before the surgery.'] : []),
      ...(status === 'sent'
        ? ['To accept, sign here or in the patient portal:', 'Signature ______________________________   Date ______________']
        : []),
      ...(env.PRACTICE_PHONE === '' ? [] : [`Questions about this quote: ${env.PRACTICE_PHONE}.`]),
    ],
  }
}

const acceptance = ({ acceptedAt, acceptedName }: Row, zone: string): string =>
  `${acceptedAt ? dayAndTime(acceptedAt, zone) : ''}${acceptedName ? `, signed ${acceptedName}` : ''}`

/** The quote's lines for the patient, without the clinic's line types. */
const linesOf = ({ lines }: Row): PdfTable => ({
  columns: [
    { label: 'Description' },
    { label: 'Tax', width: 90 },
    { label: 'Quantity × price', width: 120, isAmount: true },
    { label: 'Amount', width: 90, isAmount: true },
  ],
  rows: lines.map((line) => [
    line.exemptReason ? { text: line.words, detail: `Exempt from tax: ${line.exemptReason}` } : line.words,
    formatTax({ name: line.taxCodeName, rate: line.taxRate }),
    `${line.quantity} × ${money(line.unitPriceCents)}`,
    money(line.amountCents),
  ]),
})

function paymentsOf(row: Row, surgeryDay: string | null): PdfTable {
  const { depositCents, depositName, instalments } = row
  const labels = instalmentLabels(row, surgeryDay)
  return {
    heading: 'Payment schedule',
    columns: [{ label: 'Payment' }, { label: 'Due', width: 120 }, { label: 'Amount', width: 90, isAmount: true }],
    rows: [
      ...(depositCents > 0 ? [[depositName ?? defaultDepositName, 'On acceptance', money(depositCents)]] : []),
      ...instalments.map(({ dueOn, amountCents }, index) => [labels[index]!, day(dueOn), money(amountCents)]),
    ],
  }
}
