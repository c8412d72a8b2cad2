import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import {
  day,
  letterheadOf,
  money,
  patientFacts,
  type PracticeScope,
  type PdfDocument,
  type PdfCell,
  type PdfTable,
  pdfResponse,
} from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import { isUuid } from '../../shared/text.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Account } from './account-contract.ts'
import { accountOf } from './ledger.ts'
import { ageLabels, ages, daysLate } from './rules.ts'

type Person = Parameters<typeof patientFacts>[0]

/** GET /api/contacts/{id}/statement.pdf: a patient's statement of account, for staff. */
export async function statementResponse(scope: Scope, contactId: string): Promise<Response> {
  const pdf = isUuid(contactId) ? await renderStatement(scope, contactId) : null
  if (!pdf) return Response.json({ code: 'NOT_FOUND', message: 'This patient does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'ledger', contactIds: [contactId] })
  return pdfResponse(pdf.name, pdf.bytes)
}

/** A patient's current ledger as a PDF. Null: patient not found. */
export async function renderStatement(scope: Pick<Scope, 'db' | 'now'> & PracticeScope, contactId: string) {
  const { db, env, now } = scope
  const read = await db.transaction((tx) => readAccount(tx, { env, now }, contactId), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
  if (!read) return null
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  return { name: `statement-${today}`, bytes: await renderPdf(statementPdf(read.contact, read.account, today, scope)) }
}

async function readAccount(tx: Db, scope: Pick<Scope, 'env' | 'now'>, contactId: string) {
  const [contact] = await tx
    .select({ firstName: contacts.firstName, lastName: contacts.lastName, dateOfBirth: contacts.dateOfBirth })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  return contact ? { contact, account: await accountOf(tx, scope, contactId) } : null
}

function statementPdf(patient: Person, account: Account, today: string, practice: PracticeScope): PdfDocument {
  const { env } = practice
  const { deposits } = account
  return {
    letterhead: letterheadOf(practice),
    title: 'Statement of account',
    warning: null,
    facts: [...patientFacts(patient), { label: 'As of', value: day(today) }],
    parts: [
      history(account, env.PRACTICE_TIME_ZONE),
      { sums: [{ label: 'Balance', amount: money(account.balanceCents), isStrong: true }] },
      ...(account.portions.length > 0 ? [openTable(account, today), ageingTable(account)] : []),
      ...(deposits.length > 0 ? [depositTable(deposits, env.PRACTICE_TIME_ZONE)] : []),
    ],
    notes: [
      ...(deposits.length > 0 ? ['A deposit is counted in the balance once it is applied to a charge.'] : []),
      ...(env.PRACTICE_PHONE === '' ? [] : [`Questions about this statement: ${env.PRACTICE_PHONE}.`]),
    ],
  }
}

const formatLate = (days: number): string => (days === 1 ? '1 day late' : `${days} days late`)

/** All entries, oldest first, with the balance after each. */
function history({ entries, charges }: Account, timeZone: string): PdfTable {
  let balance = 0
  const names = new Map(charges.map(({ id, description }) => [id, description]))
  const rows = entries.toReversed().map((entry): PdfCell[] => {
    const { amountCents, createdAt } = entry
    balance += amountCents
    const [added, taken] = amountCents > 0 ? [money(amountCents), ''] : ['', money(-amountCents)]
    return [day(dayAt(createdAt, timeZone)), describeEntry(entry, names.get(entry.chargeId ?? '')), added, taken, money(balance)]
  })
  return {
    heading: 'Account',
    columns: [
      { label: 'Date', width: 80 },
      { label: 'Description' },
      { label: 'Charged', width: 78, isAmount: true },
      { label: 'Paid or written off', width: 92, isAmount: true },
      { label: 'Balance', width: 82, isAmount: true },
    ],
    rows: [['', 'Opening balance', '', '', money(0)], ...rows],
  }
}

/** Omits the reasons for write-offs and voids: they are internal to the clinic. */
function describeEntry({ kind, description }: Account['entries'][number], charge: string | undefined): PdfCell {
  const of = charge ? { detail: `For ${charge}` } : null
  const text = {
    charge: description,
    payment: `Payment: ${description}`,
    release: description,
    write_off: 'Written off',
    void: 'Charge voided',
  }
  return of ? { text: text[kind], ...of } : text[kind]
}

function openTable({ portions, charges }: Account, today: string): PdfTable {
  const seen = new Map<string, number>()
  const rows = portions
    .toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
    .map(({ chargeId, dueOn, openCents, isBeforeSurgery }): PdfCell[] => {
      const charge = charges.find(({ id }) => id === chargeId)
      const parts = charge?.plan.length ?? 0
      const openParts = portions.filter((portion) => portion.chargeId === chargeId).length
      const place = parts - openParts + (seen.get(chargeId) ?? 0) + 1
      seen.set(chargeId, (seen.get(chargeId) ?? 0) + 1)
      const details = [parts > 0 ? `Instalment ${place} of ${parts}` : null, isBeforeSurgery ? 'Due before surgery' : null]
      const detail = details.filter((part) => part !== null).join('. ')
      const what = charge?.description ?? ''
      return [
        detail === '' ? what : { text: what, detail },
        dueOn < today ? { text: day(dueOn), detail: formatLate(daysLate(dueOn, today)) } : day(dueOn),
        money(openCents),
      ]
    })
  return {
    heading: 'Outstanding charges',
    columns: [{ label: 'Description' }, { label: 'Due', width: 120 }, { label: 'Open', width: 90, isAmount: true }],
    rows,
  }
}

function ageingTable({ ageing, balanceCents }: Account): PdfTable {
  return {
    heading: 'Ageing',
    columns: [...ages.map((age) => ageLabels[age]), 'Balance'].map((label) => ({ label, isAmount: true })),
    rows: [[...ages.map((age) => money(ageing[age])), money(balanceCents)]],
  }
}

const depositTable = (deposits: Account['deposits'], timeZone: string): PdfTable => ({
  heading: 'Deposits not applied',
  columns: [
    { label: 'Receipt' },
    { label: 'Date', width: 120 },
    { label: 'Received', width: 90, isAmount: true },
    { label: 'Not applied', width: 90, isAmount: true },
  ],
  rows: deposits.map(({ docNumber, completedAt, totalCents, leftCents }) => [
    docNumber ?? 'Without a number',
    completedAt ? day(dayAt(completedAt, timeZone)) : '',
    money(totalCents),
    money(leftCents),
  ]),
})
