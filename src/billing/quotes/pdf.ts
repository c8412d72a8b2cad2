import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { letterheadOf, patientFacts, type PracticeScope, type PdfDocument, type PdfTable, pdfResponse } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatCents, formatMediumDay, formatMediumInstant, inLanguage, type Language } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type FrenchProcedure, frenchTitle } from '../../crm/procedures/rules.ts'
import { frenchProcedures } from '../../crm/procedures/service.ts'
import { patientTax } from '../pos/patient-rules.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Row } from './lock.ts'
import { patientDiscount, patientInstalments, patientQuoteName } from './patient-rules.ts'
import { shownStatus } from './rules.ts'
import { quotes } from './table.ts'
import { quoteTexts } from './texts.ts'

/** GET /api/quotes/{id}.pdf: a quote version for staff to print or save, in the patient's language unless another is chosen. */
export async function quotePdfResponse(scope: Scope, id: string, chosen: Language | null): Promise<Response> {
  const [row] = isUuid(id) ? await scope.db.select().from(quotes).where(eq(quotes.id, id)) : []
  if (!row) return Response.json({ code: 'NOT_FOUND', message: 'This quote does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'quote', contactIds: [row.contactId] })
  const { name, bytes } = await renderQuote(scope, row, chosen)
  return pdfResponse(name, bytes)
}

/** A quote as a PDF, with the name of its file, in the patient's language unless another is chosen. */
export async function renderQuote(scope: Pick<Scope, 'db' | 'now'> & PracticeScope, row: Row, chosen: Language | null = null) {
  const language = chosen ?? (await languageOf(scope.db, row.contactId))
  const content = quotePdf(row, await namesOf(scope.db, row), dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE), scope, language)
  return { name: patientQuoteName(row, language).toLowerCase(), bytes: await renderPdf(content) }
}

interface Names {
  patient: Parameters<typeof patientFacts>[0] | undefined
  surgeryAt: Date | null
  frenchNames: readonly FrenchProcedure[]
}

async function namesOf(db: Db, { contactId, surgeryId }: Row): Promise<Names> {
  const [contact] = await db.select().from(contacts).where(eq(contacts.id, contactId))
  const [one] = surgeryId ? await db.select({ startsAt: surgeries.startsAt }).from(surgeries).where(eq(surgeries.id, surgeryId)) : []
  return { patient: contact, surgeryAt: one?.startsAt ?? null, frenchNames: await frenchProcedures(db) }
}

function quotePdf(
  row: Row,
  { patient, surgeryAt, frenchNames }: Names,
  today: string,
  practice: PracticeScope,
  language: Language,
): PdfDocument {
  const { env } = practice
  const zone = env.PRACTICE_TIME_ZONE
  const t = quoteTexts[language]
  const money = (cents: number) => formatCents(cents, language)
  const status = shownStatus(row, today)
  const surgeryDay = surgeryAt && dayAt(surgeryAt, zone)
  const facts: [string, string | null][] = [
    [t('pdf.procedure'), inLanguage(language, row.title, frenchTitle(row.title, frenchNames))],
    [t('pdf.surgery'), surgeryDay && formatMediumDay(surgeryDay, language)],
    [t('pdf.date'), formatMediumDay(row.sentAt ?? row.createdAt, language, zone)],
    [t('pdf.validUntil'), formatMediumDay(row.validUntil, language)],
    [t('pdf.accepted'), status === 'accepted' ? acceptance(row, zone, language) : null],
  ]
  return {
    letterhead: letterheadOf(practice, language),
    title: patientQuoteName(row, language),
    warning: status === 'sent' || status === 'accepted' ? null : t(`pdf.states.${status}`),
    language,
    facts: [...(patient ? patientFacts(patient, language) : []), ...facts.flatMap(([label, value]) => (value ? [{ label, value }] : []))],
    parts: [
      linesOf(row, language, frenchNames),
      {
        sums: [
          { label: t('subtotal'), amount: money(row.subtotalCents) },
          ...(row.discountCents > 0 ? [{ label: patientDiscount(row, language), amount: money(-row.discountCents) }] : []),
          ...row.taxes.map((tax) => ({
            label: t('pdf.taxOn', { tax: patientTax(tax, language), amount: money(tax.base) }),
            amount: money(tax.tax),
          })),
          { label: t('total'), amount: money(row.totalCents), isStrong: true },
        ],
      },
      paymentsOf(row, surgeryDay, language),
    ],
    notes: [
      ...(row.note ? [row.note] : []),
      ...(row.isBeforeSurgery && surgeryDay === null ? [t('pdf.allBeforeSurgery')] : []),
      ...(status === 'sent'
        ? [t('pdf.toAccept'), `${t('pdf.signature')} ______________________________   ${t('pdf.date')} ______________`]
        : []),
      ...(env.PRACTICE_PHONE === '' ? [] : [t('pdf.questions', { phone: env.PRACTICE_PHONE })]),
    ],
  }
}

function acceptance({ acceptedAt, acceptedName }: Row, zone: string, language: Language): string {
  const at = acceptedAt ? formatMediumInstant(acceptedAt, language, zone) : ''
  return acceptedName ? quoteTexts[language]('pdf.acceptedBy', { at, name: acceptedName }) : at
}

/** The quote's lines for the patient, without the clinic's line types. */
function linesOf({ lines }: Row, language: Language, frenchNames: readonly FrenchProcedure[]): PdfTable {
  const t = quoteTexts[language]
  const describe = ({ words }: Row['lines'][number]) => inLanguage(language, words, frenchTitle(words, frenchNames))
  return {
    columns: [
      { label: t('pdf.description') },
      { label: t('pdf.tax'), width: 90 },
      { label: t('pdf.price'), width: 120, isAmount: true },
      { label: t('pdf.amount'), width: 90, isAmount: true },
    ],
    rows: lines.map((line) => [
      line.exemptReason ? { text: describe(line), detail: t('exempt', { reason: line.exemptReason }) } : describe(line),
      patientTax({ name: line.taxCodeName, rate: line.taxRate }, language),
      `${line.quantity} × ${formatCents(line.unitPriceCents, language)}`,
      formatCents(line.amountCents, language),
    ]),
  }
}

function paymentsOf(row: Row, surgeryDay: string | null, language: Language): PdfTable {
  const t = quoteTexts[language]
  const { depositCents, depositName, instalments } = row
  const labels = patientInstalments(row, surgeryDay, language)
  return {
    heading: t('schedule'),
    columns: [{ label: t('pdf.payment') }, { label: t('pdf.due'), width: 120 }, { label: t('pdf.amount'), width: 90, isAmount: true }],
    rows: [
      ...(depositCents > 0 ? [[depositName ?? t('deposit'), t('pdf.onAcceptance'), formatCents(depositCents, language)]] : []),
      ...instalments.map(({ dueOn, amountCents }, index) => [
        labels[index]!,
        formatMediumDay(dueOn, language),
        formatCents(amountCents, language),
      ]),
    ],
  }
}
