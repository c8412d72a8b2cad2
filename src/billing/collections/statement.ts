import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import {
  letterheadOf,
  patientFacts,
  type PracticeScope,
  type PdfDocument,
  type PdfCell,
  type PdfTable,
  pdfResponse,
} from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import { isUuid } from '../../shared/text.ts'
import { formatCents, formatMediumDay, inLanguage, type Language, toLanguage } from '../../shared/translations.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { frenchTitle } from '../../crm/procedures/rules.ts'
import { frenchProcedures } from '../../crm/procedures/service.ts'
import { patientChargeName } from '../quotes/patient-rules.ts'
import { quotes } from '../quotes/table.ts'
import type { Account } from './account-contract.ts'
import { accountOf } from './ledger.ts'
import { ages, daysLate } from './rules.ts'
import { balanceTexts } from './texts.ts'

type Person = Parameters<typeof patientFacts>[0]

/** GET /api/contacts/{id}/statement.pdf: a patient's statement of account, for staff, in the patient's language unless another is chosen. */
export async function statementResponse(scope: Scope, contactId: string, chosen: Language | null): Promise<Response> {
  const pdf = isUuid(contactId) ? await renderStatement(scope, contactId, chosen) : null
  if (!pdf) return Response.json({ code: 'NOT_FOUND', message: 'This patient does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'ledger', contactIds: [contactId] })
  return pdfResponse(pdf.name, pdf.bytes)
}

/** A patient's current ledger as a PDF, in the patient's language unless another is chosen. Null: patient not found. */
export async function renderStatement(scope: Pick<Scope, 'db' | 'now'> & PracticeScope, contactId: string, chosen: Language | null = null) {
  const { db, env, now } = scope
  const read = await db.transaction((tx) => readAccount(tx, { env, now }, contactId, chosen), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
  if (!read) return null
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const name = balanceTexts[read.language]('statement.fileName', { day: today })
  return { name, bytes: await renderPdf(statementPdf(read, today, scope)) }
}

interface Statement {
  contact: Person
  account: Account
  language: Language
  /** What a charge is for in this language: the quote or the procedure, otherwise its description. */
  describeCharge: (charge: Pick<Account['charges'][number], 'id' | 'description'>) => string
}

async function readAccount(
  tx: Db,
  scope: Pick<Scope, 'env' | 'now'>,
  contactId: string,
  chosen: Language | null,
): Promise<Statement | null> {
  const { firstName, lastName, dateOfBirth, preferredLanguage } = contacts
  const [contact] = await tx
    .select({ firstName, lastName, dateOfBirth, preferredLanguage })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  if (!contact) return null
  const language = chosen ?? toLanguage(contact.preferredLanguage) ?? 'en'
  const quoted = await tx.select().from(quotes).where(eq(quotes.contactId, contactId))
  const french = await frenchProcedures(tx)
  const names = new Map(
    quoted.map((quote) => {
      const title = inLanguage(language, quote.title, frenchTitle(quote.title, french))
      return [quote.chargeId, patientChargeName(quote, title, language)]
    }),
  )
  return {
    contact,
    account: await accountOf(tx, scope, contactId),
    language,
    describeCharge: ({ id, description }) => names.get(id) ?? inLanguage(language, description, frenchTitle(description, french)),
  }
}

function statementPdf(statement: Statement, today: string, practice: PracticeScope): PdfDocument {
  const { contact, account, language } = statement
  const { env } = practice
  const { deposits } = account
  const t = balanceTexts[language]
  return {
    letterhead: letterheadOf(practice, language),
    title: t('statement.title'),
    warning: null,
    language,
    facts: [...patientFacts(contact, language), { label: t('statement.asOf'), value: formatMediumDay(today, language) }],
    parts: [
      history(statement, env.PRACTICE_TIME_ZONE),
      { sums: [{ label: t('statement.balance'), amount: formatCents(account.balanceCents, language), isStrong: true }] },
      ...(account.portions.length > 0 ? [openTable(statement, today), ageingTable(statement)] : []),
      ...(deposits.length > 0 ? [depositTable(deposits, env.PRACTICE_TIME_ZONE, language)] : []),
    ],
    notes: [
      ...(deposits.length > 0 ? [t('statement.depositNote')] : []),
      ...(env.PRACTICE_PHONE === '' ? [] : [t('statement.questions', { phone: env.PRACTICE_PHONE })]),
    ],
  }
}

/** All entries, oldest first, with the balance after each. */
function history(statement: Statement, timeZone: string): PdfTable {
  const { account, language } = statement
  const t = balanceTexts[language]
  const money = (cents: number) => formatCents(cents, language)
  let balance = 0
  const rows = account.entries.toReversed().map((entry): PdfCell[] => {
    const { amountCents, createdAt } = entry
    balance += amountCents
    const [added, taken] = amountCents > 0 ? [money(amountCents), ''] : ['', money(-amountCents)]
    return [formatMediumDay(createdAt, language, timeZone), describeEntry(entry, statement), added, taken, money(balance)]
  })
  return {
    heading: t('statement.account'),
    columns: [
      { label: t('statement.date'), width: 80 },
      { label: t('statement.description') },
      { label: t('statement.charged'), width: 78, isAmount: true },
      { label: t('statement.credited'), width: 92, isAmount: true },
      { label: t('statement.balance'), width: 82, isAmount: true },
    ],
    rows: [['', t('statement.opening'), '', '', money(0)], ...rows],
  }
}

/** Omits the reasons for write-offs and voids: they are internal to the clinic. */
function describeEntry(
  { id, kind, description, chargeId, receiptId }: Account['entries'][number],
  { account, language, describeCharge }: Statement,
): PdfCell {
  const t = balanceTexts[language]
  const charge = account.charges.find((one) => one.id === chargeId)
  const payment = account.payments.find((one) => one.receiptId === receiptId)
  const receipt = payment ? t('statement.receipt', { number: payment.docNumber ?? '' }).trim() : description
  const text = {
    charge: describeCharge({ id, description }),
    payment: t('statement.payment', { receipt }),
    release: t('statement.release'),
    write_off: t('statement.writeOff'),
    void: t('statement.void'),
  }
  return charge ? { text: text[kind], detail: t('statement.of', { charge: describeCharge(charge) }) } : text[kind]
}

function openTable({ account: { portions, charges }, language, describeCharge }: Statement, today: string): PdfTable {
  const t = balanceTexts[language]
  const seen = new Map<string, number>()
  const rows = portions
    .toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
    .map(({ chargeId, dueOn, openCents, isBeforeSurgery }): PdfCell[] => {
      const charge = charges.find(({ id }) => id === chargeId)
      const parts = charge?.plan.length ?? 0
      const openParts = portions.filter((portion) => portion.chargeId === chargeId).length
      const place = parts - openParts + (seen.get(chargeId) ?? 0) + 1
      seen.set(chargeId, (seen.get(chargeId) ?? 0) + 1)
      const details = [
        parts > 0 ? t('statement.instalment', { at: place, of: parts }) : null,
        isBeforeSurgery ? t('statement.beforeSurgery') : null,
      ]
      const detail = details.filter((part) => part !== null).join('. ')
      const what = charge ? describeCharge(charge) : ''
      const due = formatMediumDay(dueOn, language)
      return [
        detail === '' ? what : { text: what, detail },
        dueOn < today ? { text: due, detail: t('statement.late', { count: daysLate(dueOn, today) }) } : due,
        formatCents(openCents, language),
      ]
    })
  return {
    heading: t('statement.outstanding'),
    columns: [
      { label: t('statement.description') },
      { label: t('statement.due'), width: 120 },
      { label: t('statement.open'), width: 90, isAmount: true },
    ],
    rows,
  }
}

function ageingTable({ account: { ageing, balanceCents }, language }: Statement): PdfTable {
  const t = balanceTexts[language]
  return {
    heading: t('statement.ageing'),
    columns: [...ages.map((age) => t(`statement.ages.${age}`)), t('statement.balance')].map((label) => ({ label, isAmount: true })),
    rows: [[...ages.map((age) => ageing[age]), balanceCents].map((cents) => formatCents(cents, language))],
  }
}

function depositTable(deposits: Account['deposits'], timeZone: string, language: Language): PdfTable {
  const t = balanceTexts[language]
  return {
    heading: t('statement.deposits'),
    columns: [
      { label: t('statement.depositReceipt') },
      { label: t('statement.date'), width: 120 },
      { label: t('statement.received'), width: 90, isAmount: true },
      { label: t('statement.unapplied'), width: 90, isAmount: true },
    ],
    rows: deposits.map(({ docNumber, completedAt, totalCents, leftCents }) => [
      docNumber ?? t('statement.noNumber'),
      completedAt ? formatMediumDay(completedAt, language, timeZone) : '',
      formatCents(totalCents, language),
      formatCents(leftCents, language),
    ]),
  }
}
