import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { addQuotedCharge } from '../collections/service.ts'
import { priceCase } from '../../care/surgeries/service.ts'
import { quoteMessages } from './quote-contract.ts'
import { announce, write } from './quote-events.ts'
import { lock, type Row } from './lock.ts'
import { getQuote } from './read.ts'
import { dueParts, priceWith, quoteName, refusalOfAcceptance } from './rules.ts'
import { quotes } from './table.ts'
import { addFollowUp } from './tasks.ts'

/** Input for accepting a quote. In the portal the scope limits it to the patient's own quotes. */
interface Acceptance {
  id: string
  /** The total shown to the person who accepts. */
  totalCents: number
  /** Typed as a signature. */
  name: string | null
}

/**
 * Accepts a quote once, even for concurrent requests: charges its total with its instalments and sets the price of its case
 * in the same transaction. An already accepted quote is returned unchanged. Null: quote not found.
 */
export const acceptQuote = (scope: Scope, { id, totalCents, name }: Acceptance) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked || !isOpenTo(scope, locked.row)) return null
    const { row: before } = locked
    if (before.status === 'accepted') return getQuote(tx, scope, id)
    const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    const refused = refusalOfAcceptance(before, today)
    if (refused) return refuse(refused)
    if (totalCents !== before.totalCents) return refuse('TOTALS_DIFFER', { fields: { totalCents: quoteMessages.totals } })

    const row = await write(tx, scope, before, {
      status: 'accepted',
      acceptedAt: scope.now(),
      acceptedBy: scope.actor?.id ?? null,
      acceptedName: name,
      acceptedAddress: scope.origin.address,
      chargeId: await charge(tx, scope, before, today),
      priceBeforeCents: await priceTheCase(tx, scope, before),
    })
    const where = scope.patient ? 'by the patient in the portal' : 'for the patient at the clinic'
    await announce(tx, scope, row, `${quoteName(row)} accepted ${where}`)
    if (scope.patient) await addFollowUp(tx, scope, { ...locked, row })
    return (await getQuote(tx, scope, id))!
  })

/** Staff see every quote; patients only their own sent ones. */
export const isOpenTo = ({ patient }: Pick<Scope, 'patient'>, { contactId, status }: Row): boolean =>
  patient === undefined || (contactId === patient && status !== 'draft')

const charge = (tx: Db, scope: Scope, row: Row, today: string): Promise<string> => {
  const parts = dueParts(row, today)
  return addQuotedCharge(tx, scope, {
    contactId: row.contactId,
    description: `${quoteName(row)}: ${row.title}`,
    amountCents: row.totalCents,
    dueOn: parts[0]!.dueOn,
    isBeforeSurgery: row.isBeforeSurgery,
    plan: parts.length > 1 ? parts : [],
    // The quote's ID is the idempotency key: the ledger charges it once.
    idempotencyKey: row.id,
  })
}

/** Sets the case's price to the sum of its accepted quotes. Returns the price before the first of them. */
async function priceTheCase(tx: Db, scope: Scope, row: Row): Promise<number | null> {
  if (!row.surgeryId) return null
  const others = await acceptedOf(tx, row)
  const before = await priceCase(tx, scope, { ...row, surgeryId: row.surgeryId }, () => priceWith(row, others))
  return others[0] ? others[0].priceBeforeCents : before
}

/** The other accepted quotes of a quote's case. */
export const acceptedOf = (tx: Db, { id, surgeryId }: Row): Promise<Row[]> =>
  surgeryId === null
    ? Promise.resolve([])
    : tx
        .select()
        .from(quotes)
        .where(and(eq(quotes.surgeryId, surgeryId), eq(quotes.status, 'accepted'), ne(quotes.id, id)))
        .orderBy(quotes.acceptedAt)
