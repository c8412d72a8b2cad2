import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { salesReceipts } from '../payments/table.ts'
import type { ReceiptPayload } from '../pos/contract.ts'
import { cancel, depositAccounts, findOrCreateCustomer, recordOwnSale, refund } from '../pos/service.ts'
import { listOf } from '../quickbooks/service.ts'
import { contactCustomers } from '../quickbooks/table.ts'
import { itemFor, prepaidItemsOf } from './items.ts'
import { customersOfSamePatient, hashOfCode } from './ledger.ts'
import { hasExpired, type PrepaidKind, prepaidKinds, readGiftCardCode, sessionCents } from './rules.ts'
import { type PrepaidAccount, prepaidAccounts, prepaidEntries } from './table.ts'

/** What can be sold that is used later: the kinds whose item QuickBooks has, with the tax code that they are sold with. */
export async function sellable({ db, env }: Scope) {
  const items = await prepaidItemsOf(db, env)
  const kinds = prepaidKinds.flatMap((kind) => {
    const item = items.items[kind]
    return item ? [{ kind, itemId: item.id, itemName: item.name }] : []
  })
  const notInPackages = Object.values(items.items).map(({ id }) => id)
  return { kinds: items.taxCode ? kinds : [], notInPackages, taxCodeId: items.taxCode?.id ?? null }
}

/** The gift cards, packages and credit of a patient's customers with what happened to each, newest first. Null: patient not found. */
export const listPrepaid = (scope: Scope, contactId: string) =>
  readOfPatient(scope, 'prepaid balance', contactId, readPrepaid(scope.db, contactId))

async function readPrepaid(db: Db, contactId: string) {
  const customers = db.select({ id: contactCustomers.customerId }).from(contactCustomers).where(eq(contactCustomers.contactId, contactId))
  const accounts = await db
    .select()
    .from(prepaidAccounts)
    .where(inArray(prepaidAccounts.customerId, customers))
    .orderBy(desc(prepaidAccounts.createdAt), desc(prepaidAccounts.id))
  const entries =
    accounts.length === 0
      ? []
      : await db
          .select({
            entry: prepaidEntries,
            docNumber: salesReceipts.docNumber,
            refundOf: salesReceipts.refundOf,
            state: salesReceipts.state,
          })
          .from(prepaidEntries)
          .innerJoin(salesReceipts, eq(salesReceipts.id, prepaidEntries.receiptId))
          .where(
            inArray(
              prepaidEntries.accountId,
              accounts.map(({ id }) => id),
            ),
          )
          .orderBy(desc(prepaidEntries.createdAt), desc(prepaidEntries.id))
  const over = new Set(entries.flatMap(({ entry: { kind, receiptId }, refundOf }) => (kind === 'reversal' ? receiptId : (refundOf ?? []))))
  return accounts.map(({ codeHash: _, sealedCode: _code, ...account }) => ({
    ...account,
    entries: entries
      .filter(({ entry }) => entry.accountId === account.id)
      .map(({ entry, docNumber }) => ({
        ...entry,
        docNumber,
        /** A session that was used and not returned. */
        isUndoable: entry.kind === 'use' && account.kind === 'package' && !over.has(entry.receiptId),
      })),
  }))
}

/** A gift card by its code, typed in any way. Null: no gift card has it. */
export async function findGiftCard(scope: Scope, typed: string) {
  const code = readGiftCardCode(typed)
  if (code === null) return null
  const [card] = await scope.db
    .select({ last4: prepaidAccounts.last4, balanceCents: prepaidAccounts.balanceCents })
    .from(prepaidAccounts)
    .where(eq(prepaidAccounts.codeHash, hashOfCode(code)))
  return card ? { last4: card.last4!, balanceCents: card.balanceCents } : null
}

type Sold = {
  customer: { id: string; name: string }
  itemId: string
  taxCodeId: string
  cents: number
  description: string
  idempotencyKey: string
}

/** A sale of one untaxed line for which no money changes hands. `NOT_CONNECTED`: there is no account to name. */
async function moneylessSale(scope: Scope, { customer, itemId, taxCodeId, cents, description, idempotencyKey }: Sold) {
  const { accounts } = await depositAccounts(scope)
  if (!accounts[0]) return refuse('NOT_CONNECTED')
  const SalesItemLineDetail = { ItemRef: { value: itemId }, UnitPrice: cents, Qty: 1, TaxCodeRef: { value: taxCodeId } }
  return {
    customerId: customer.id,
    customerName: customer.name,
    classRef: null,
    lineItems: [{ DetailType: 'SalesItemLineDetail', Amount: cents, Description: description, SalesItemLineDetail }],
    subtotal: cents,
    discountPercent: 0,
    discountAmount: 0,
    taxAmount: 0,
    total: cents,
    depositAccount: accounts[0].Id,
    memo: null,
    paymentMethod: null,
    chargeId: null,
    isDeposit: false,
    prepaid: [],
    idempotencyKey,
  } satisfies ReceiptPayload
}

/** Gives a patient store credit, which the practice pays for. */
export async function giveCredit(scope: Scope, given: { contactId: string; amountCents: number; reason: string; idempotencyKey: string }) {
  const { contactId, amountCents, reason, idempotencyKey } = given
  const customer = await findOrCreateCustomer(scope, contactId)
  if (customer === null || isRefusal(customer)) return customer
  const items = await prepaidItemsOf(scope.db, scope.env)
  const [credit, goodwill] = [itemFor(items, 'credit', scope.env), itemFor(items, 'goodwill', scope.env)]
  if (isRefusal(credit)) return credit
  if (isRefusal(goodwill)) return goodwill
  const payload = await moneylessSale(scope, { ...credit, customer, cents: amountCents, description: reason, idempotencyKey })
  if (isRefusal(payload)) return payload
  const use = { ...goodwill, accountId: null, kind: 'goodwill' as const, last4: null, amountCents }
  const made = await recordOwnSale(scope, payload, [use], { credit: contactId, amountCents, reason })
  return isRefusal(made) ? made : listPrepaid(scope, contactId)
}

/** Pays towards a charge with store credit: a deposit, like a payment by card. */
export async function payCharge(
  scope: Scope,
  given: { contactId: string; chargeId: string; accountId: string; amountCents: number; idempotencyKey: string },
) {
  const { contactId, chargeId, accountId, amountCents, idempotencyKey } = given
  const customer = await findOrCreateCustomer(scope, contactId)
  if (customer === null || isRefusal(customer)) return customer
  const items = await prepaidItemsOf(scope.db, scope.env)
  const name = scope.env.CARD_PAYMENT_ITEM
  const item = (await listOf(scope.db, 'item')).find((one) => one.name === name)
  if (!item || !items.taxCode) return refuse('NO_ITEM', undefined, `QuickBooks has no item “${name}”. Ask an administrator to add it.`)
  const payload = await moneylessSale(scope, {
    customer,
    itemId: item.id,
    taxCodeId: items.taxCode.id,
    cents: amountCents,
    description: 'Paid with store credit',
    idempotencyKey,
  })
  if (isRefusal(payload)) return payload
  const made = await recordOwnSale(scope, { ...payload, chargeId, isDeposit: true, prepaid: [{ accountId, amountCents }] }, [], {
    charge: chargeId,
    accountId,
    amountCents,
  })
  return isRefusal(made) ? made : listPrepaid(scope, contactId)
}

/** Uses one session of a package: a sale of its item, paid by the package. Null: package not found. */
export async function takeSession(scope: Scope, { id, idempotencyKey }: { id: string; idempotencyKey: string }) {
  const account = await findPackage(scope.db, id)
  if (!account) return null
  const [done] = await scope.db.select({ id: salesReceipts.id }).from(salesReceipts).where(eq(salesReceipts.idempotencyKey, idempotencyKey))
  if (!done && account.sessionsLeft === 0) return refuse('NO_SESSIONS')
  if (!done && hasExpired(account, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))) return refuse('EXPIRED')
  const contactId = await patientOf(scope.db, account)
  if (contactId === null) return null
  const customer = await findOrCreateCustomer(scope, contactId)
  if (customer === null || isRefusal(customer)) return customer
  const item = itemFor(await prepaidItemsOf(scope.db, scope.env), 'package', scope.env)
  if (isRefusal(item)) return item
  const cents = sessionCents(account)
  const description = `${account.itemName}: session ${account.sessions! - account.sessionsLeft + 1} of ${account.sessions!}`
  const payload = await moneylessSale(scope, {
    customer,
    itemId: account.itemId!,
    taxCodeId: item.taxCodeId,
    cents,
    description,
    idempotencyKey,
  })
  if (isRefusal(payload)) return payload
  const use = { ...item, accountId: id, kind: 'package' as const, last4: null, amountCents: cents }
  const made = await recordOwnSale(scope, payload, [use], { session: id })
  return isRefusal(made) ? made : listPrepaid(scope, contactId)
}

/** Returns a session that was used: its receipt is refunded to the package, or cancelled where QuickBooks does not have it. Null: session not found. */
export async function undoSession(scope: Scope, given: { id: string; receiptId: string; idempotencyKey: string }) {
  const { id, receiptId, idempotencyKey } = given
  const account = await findPackage(scope.db, id)
  const isUse = and(eq(prepaidEntries.accountId, id), eq(prepaidEntries.receiptId, receiptId), eq(prepaidEntries.kind, 'use'))
  const [use] = await scope.db.select({ amountCents: prepaidEntries.amountCents }).from(prepaidEntries).where(isUse)
  const contactId = account && (await patientOf(scope.db, account))
  if (!use || !contactId) return null
  const [receipt] = await scope.db
    .select({ state: salesReceipts.state, depositAccountId: salesReceipts.depositAccountId })
    .from(salesReceipts)
    .where(eq(salesReceipts.id, receiptId))
  const { state, depositAccountId: depositAccount } = receipt!
  if (state === 'pending') {
    const cancelled = await cancel(scope, receiptId)
    if (cancelled === null || isRefusal(cancelled)) return refuse('UNCERTAIN')
    return listPrepaid(scope, contactId)
  }
  const made = await refund(scope, {
    id: receiptId,
    lines: [0],
    amountCents: 0 - use.amountCents,
    reason: 'Session returned',
    depositAccount,
    paymentMethod: null,
    idempotencyKey,
  })
  if (made === null || (isRefusal(made) && (made.refusal === 'TOO_MUCH' || made.refusal === 'NOT_REFUNDABLE'))) return refuse('RETURNED')
  return isRefusal(made) ? made : listPrepaid(scope, contactId)
}

const findPackage = async (db: Db, id: string): Promise<PrepaidAccount | null> => {
  const [account] = await db
    .select()
    .from(prepaidAccounts)
    .where(and(eq(prepaidAccounts.id, id), eq(prepaidAccounts.kind, 'package' satisfies PrepaidKind)))
  return account ?? null
}

/** The patient whose customer, or whose merged customer, bought it. */
async function patientOf(db: Db, { customerId }: PrepaidAccount): Promise<string | null> {
  const [row] = await db
    .select({ contactId: contactCustomers.contactId })
    .from(contactCustomers)
    .where(inArray(contactCustomers.customerId, await customersOfSamePatient(db, customerId)))
    .orderBy(asc(contactCustomers.linkedAt))
    .limit(1)
  return row?.contactId ?? null
}
