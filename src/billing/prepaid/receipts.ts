/** The prepaid part of receipts: what the point of sale calls in the transactions that store, complete and end them. */
import { and, asc, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { centsToText } from '../../shared/money.ts'
import { salesReceipts } from '../payments/table.ts'
import { isPrepaidItem, itemFor, prepaidItemsOf } from './items.ts'
import { addEntry, creditAccountOf, customersOfSamePatient, hashOfCode, lockAccounts, newCode } from './ledger.ts'
import {
  hasExpired,
  lastDayPast,
  leftOfPrepaid,
  prepaidLimits,
  type PrepaidKind,
  type PrepaidUse,
  readGiftCardCode,
  sessionCents,
  spreadReturn,
} from './rules.ts'
import { prepaidAccounts, prepaidEntries } from './table.ts'

type Receipt = Pick<typeof salesReceipts.$inferSelect, 'id' | 'kind' | 'refundOf' | 'customerId' | 'lines' | 'prepaid' | 'createdBy'>

/** A gift card by its code, or store credit by its account, as a sale names them; in cents. */
export interface GivenUse {
  code?: string | undefined
  accountId?: string | undefined
  amountCents: number
}

/** The prepaid balances that a sale is to be paid with, or `INVALID_REFERENCE`. Their amounts are checked again when it is stored. */
export async function findUses(db: Db, env: Scope['env'], customerId: string, given: readonly GivenUse[]) {
  const invalid: Record<string, string> = {}
  const uses: PrepaidUse[] = []
  const [items, own] = given.length > 0 ? await Promise.all([prepaidItemsOf(db, env), customersOfSamePatient(db, customerId)]) : [null, []]
  for (const [index, { code, accountId, amountCents }] of given.entries()) {
    const typed = code === undefined ? null : readGiftCardCode(code)
    const isGiven =
      code === undefined
        ? and(eq(prepaidAccounts.id, accountId!), eq(prepaidAccounts.kind, 'credit'), inArray(prepaidAccounts.customerId, own))
        : and(eq(prepaidAccounts.codeHash, typed === null ? '' : hashOfCode(typed)), eq(prepaidAccounts.kind, 'gift-card'))
    const [account] = await db.select().from(prepaidAccounts).where(isGiven)
    if (!account) {
      invalid[code === undefined ? `prepaid.${index}.accountId` : `prepaid.${index}.code`] =
        code === undefined ? 'This patient has no such store credit' : 'No gift card has this code'
      continue
    }
    if (account.balanceCents < amountCents) invalid[`prepaid.${index}.amountCents`] = onlyLeft(account.balanceCents)
    if (uses.some((use) => use.accountId === account.id)) invalid[`prepaid.${index}.amountCents`] = 'This is already used in this sale'
    const item = itemFor(items!, account.kind, env)
    if (isRefusal(item)) {
      invalid[`prepaid.${index}.amountCents`] = item.message!
      continue
    }
    uses.push({ ...item, accountId: account.id, kind: account.kind, last4: account.last4, amountCents })
  }
  return Object.keys(invalid).length > 0 ? invalidReference(invalid) : uses
}

const onlyLeft = (cents: number): string => `Only $${centsToText(cents)} is left`

/** Locks what a sale takes from, and refuses what is no longer there. Called before the receipt is stored. */
export async function checkTaken(tx: Db, uses: readonly PrepaidUse[]) {
  const accounts = await lockAccounts(
    tx,
    uses.flatMap(({ accountId }) => accountId ?? []),
  )
  const short = uses.flatMap(({ accountId, kind, amountCents }, index) => {
    const account = accountId === null ? null : accounts.get(accountId)
    if (!account) return []
    const field = `prepaid.${index}.amountCents`
    // Another session was used since this one was priced.
    if (kind === 'package' && (account.sessionsLeft === 0 || sessionCents(account) !== amountCents))
      return [[field, 'Please try again'] as const]
    return account.balanceCents < amountCents ? [[field, onlyLeft(account.balanceCents)] as const] : []
  })
  return short.length > 0 ? invalidReference(Object.fromEntries(short)) : null
}

/** Takes what a stored sale uses. */
export async function takeUses(tx: Db, scope: Scope, { id, prepaid, createdBy }: Receipt): Promise<void> {
  for (const { accountId, kind, amountCents } of prepaid) {
    if (accountId === null) continue
    const sessions = kind === 'package' ? -1 : 0
    await addEntry(tx, scope, { accountId, kind: 'use', amountCents: -amountCents, sessions, receiptId: id, createdBy })
  }
}

/** Opens what a completed sale sold, and credits what a completed refund gives back. */
export async function completePrepaid(tx: Db, scope: Scope, receipt: Receipt): Promise<void> {
  const { id: receiptId, createdBy, customerId } = receipt
  if (receipt.kind === 'refund') {
    for (const { accountId, kind, amountCents } of receipt.prepaid) {
      if (accountId === null) continue
      const sessions = kind === 'package' ? 1 : 0
      await addEntry(tx, scope, { accountId, kind: 'return', amountCents: -amountCents, sessions, receiptId, createdBy })
    }
    return
  }
  for (const [line, { issues, quantity, unitPriceCents, amountCents, package: sold, description }] of receipt.lines.entries()) {
    if (issues === undefined) continue
    if (issues === 'credit') {
      const { id: accountId } = await creditAccountOf(tx, scope, customerId)
      await addEntry(tx, scope, { accountId, kind: 'issue', amountCents, receiptId, reason: description, createdBy })
      continue
    }
    const count = issues === 'gift-card' ? quantity : 1
    for (let at = 0; at < count; at++) {
      const [account] = await tx
        .insert(prepaidAccounts)
        .values({
          kind: issues,
          customerId,
          receiptId,
          line,
          createdAt: scope.now(),
          ...(issues === 'gift-card' && newCode(scope.env)),
          ...(sold && { itemId: sold.itemId, itemName: sold.itemName, sessions: sold.sessions, expiresOn: sold.expiresOn }),
        })
        .returning()
      await addEntry(tx, scope, {
        accountId: account!.id,
        kind: 'issue',
        amountCents: issues === 'gift-card' ? unitPriceCents : amountCents,
        sessions: sold?.sessions ?? 0,
        receiptId,
        createdBy,
      })
    }
  }
}

/** Puts back what a receipt took that QuickBooks refused, or that was cancelled. */
export async function reversePrepaid(tx: Db, scope: Scope, { id: receiptId }: Pick<Receipt, 'id'>): Promise<void> {
  const taken = await tx
    .select()
    .from(prepaidEntries)
    .where(and(eq(prepaidEntries.receiptId, receiptId), inArray(prepaidEntries.kind, ['use', 'refund'])))
    .orderBy(asc(prepaidEntries.accountId))
  for (const { accountId, amountCents, sessions } of taken) {
    const createdBy = scope.actor?.id ?? null
    await addEntry(tx, scope, { accountId, kind: 'reversal', amountCents: -amountCents, sessions: -sessions, receiptId, createdBy })
  }
}

/** What a refund of a sale takes from the balances that the sale issued, by the lines refunded: in cents without tax. */
export async function issuedRefunds(
  tx: Db,
  sale: Pick<Receipt, 'id' | 'lines' | 'customerId'>,
  refunded: readonly { line: number; netCents: number }[],
) {
  const taken: { accountId: string; amountCents: number; sessions: number }[] = []
  for (const { line, netCents } of refunded) {
    const { issues } = sale.lines[line]!
    if (issues === undefined) continue
    const isIssued =
      issues === 'credit'
        ? and(eq(prepaidAccounts.customerId, sale.customerId), eq(prepaidAccounts.kind, 'credit'))
        : and(eq(prepaidAccounts.receiptId, sale.id), eq(prepaidAccounts.line, line))
    const accounts = await tx.select().from(prepaidAccounts).where(isIssued).orderBy(asc(prepaidAccounts.id)).for('update')
    const { returned, moneyCents } = spreadReturn(
      accounts.map(({ balanceCents }) => balanceCents),
      netCents,
    )
    const left = netCents - moneyCents
    if (moneyCents > 0) return invalidReference({ amountCents: `Part of it was used: ${onlyLeft(left).toLowerCase()}` })
    for (const [index, amountCents] of returned.entries()) {
      const { id: accountId, balanceCents, sessionsLeft } = accounts[index]!
      if (amountCents === 0) continue
      if (issues === 'package' && amountCents !== balanceCents) {
        return invalidReference({ amountCents: `Refund all that is left of the package: $${centsToText(balanceCents)} before tax` })
      }
      taken.push({ accountId, amountCents, sessions: issues === 'package' ? sessionsLeft : 0 })
    }
  }
  return taken
}

/** What was used of the gift cards and the credit that each line of a sale sold, of what is left of the line to refund; in cents. */
export async function usedOfLines(
  db: Db,
  { id, lines, customerId }: Pick<Receipt, 'id' | 'lines' | 'customerId'>,
  left: readonly number[],
) {
  if (lines.every(({ issues }) => issues === undefined)) return lines.map(() => 0)
  const isIssued = or(
    eq(prepaidAccounts.receiptId, id),
    and(eq(prepaidAccounts.customerId, customerId), eq(prepaidAccounts.kind, 'credit')),
  )
  const accounts = await db.select().from(prepaidAccounts).where(isIssued)
  return lines.map(({ issues }, place) => {
    // A package is refunded with its tax, and only as a whole.
    if (issues !== 'gift-card' && issues !== 'credit') return 0
    const ofLine = accounts.filter(({ kind, line }) => kind === issues && (issues === 'credit' || line === place))
    return Math.max(0, left[place]! - ofLine.reduce((sum, { balanceCents }) => sum + balanceCents, 0))
  })
}

export async function takeIssued(
  tx: Db,
  scope: Scope,
  { id, createdBy }: Pick<Receipt, 'id' | 'createdBy'>,
  taken: readonly { accountId: string; amountCents: number; sessions: number }[],
): Promise<void> {
  for (const { accountId, amountCents, sessions } of taken) {
    await addEntry(tx, scope, { accountId, kind: 'refund', amountCents: -amountCents, sessions: -sessions, receiptId: id, createdBy })
  }
}

/** The part of a line that is prepaid by it: the line with its tax, which no charge may use. */
export const issuedCents = (lines: readonly { issues?: PrepaidKind | undefined; amountCents: number; taxCents: number }[]): number =>
  lines.reduce((sum, { issues, amountCents, taxCents }) => (issues === undefined ? sum : sum + amountCents + taxCents), 0)

/** What a line sells that is used later, by its item, and what is wrong with it. `today`: on the practice's calendar. */
export function issueOf(
  items: Awaited<ReturnType<typeof prepaidItemsOf>>,
  line: {
    itemId: string
    rate: number
    quantity: number
    amountCents: number
    package: { itemId: string; expiresOn: string | null } | undefined
  },
  today: string,
): { kind: PrepaidKind | null; wrong: Record<string, string> } {
  const kinds = ['gift-card', 'package', 'credit'] as const
  const kind = kinds.find((one) => items.items[one]?.id === line.itemId) ?? null
  const wrong: Record<string, string> = {}
  if (kind !== 'package' && line.package) wrong.package = 'Only a package has sessions'
  if (kind === null) return { kind, wrong }
  if (line.amountCents === 0) wrong['SalesItemLineDetail.UnitPrice'] = 'Enter an amount of at least $0.01'
  if (kind !== 'package' && line.rate !== 0) wrong['SalesItemLineDetail.TaxCodeRef'] = 'This is not taxed when it is sold'
  if (kind === 'package' && !line.package) wrong.package = 'Choose the item and the number of sessions'
  if (line.package && isPrepaidItem(items, line.package.itemId)) wrong['package.itemId'] = 'A package can’t contain this item'
  if (line.package && hasExpired(line.package, today)) wrong['package.expiresOn'] = lastDayPast
  const most = kind === 'gift-card' ? prepaidLimits.giftCards : 1
  if (line.quantity > most) wrong['SalesItemLineDetail.Qty'] = `At most ${most} in one line`
  return { kind, wrong }
}

/** What balances have paid of a sale and not got back, as the next refund finds it. */
export async function returnsOf(tx: Db, sale: Pick<Receipt, 'id' | 'prepaid'>, amountCents: number) {
  const refunds = await tx
    .select({ prepaid: salesReceipts.prepaid })
    .from(salesReceipts)
    .where(and(eq(salesReceipts.refundOf, sale.id), inArray(salesReceipts.state, ['pending', 'complete'])))
  const left = leftOfPrepaid(
    sale.prepaid,
    refunds.flatMap(({ prepaid }) => prepaid),
  )
  const { returned, moneyCents } = spreadReturn(left, amountCents)
  if (sale.prepaid.some(({ kind }, index) => kind === 'package' && returned[index] !== left[index])) {
    return invalidReference({ amountCents: 'A session is returned as a whole' })
  }
  const uses = sale.prepaid.flatMap((use, index) => (returned[index]! > 0 ? [{ ...use, amountCents: -returned[index]! }] : []))
  return { uses, moneyCents }
}
