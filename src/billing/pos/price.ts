import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { factsOf, listOf, objectsOf } from '../quickbooks/service.ts'
import { isClearing } from '../quickbooks/rules.ts'
import { findUses, issuedCents, issueOf, prepaidItemsOf } from '../prepaid/service.ts'
import { prepaidMethods, type PrepaidUse } from '../prepaid/rules.ts'
import { posMessages, type ReceiptPayload } from './contract.ts'
import type { ReceiptLine } from '../payments/contract.ts'
import { type CartLine, defaultTaxCode, otherMethod, taxRateOf, type Totals, totalsOf } from './rules.ts'
import type { salesReceipts } from '../payments/table.ts'

export type KnownTaxCode = {
  id: string
  name: string
  /** In millionths. */
  rate: number
  /** The rate's ID in QuickBooks. */
  rateId: string | null
  percents: number[]
}

/** The known tax codes, and the practice's default, which 'TAX' stands for. */
export async function taxCodesOf(db: Db, env: Env): Promise<{ codes: KnownTaxCode[]; practiceCode: KnownTaxCode | null }> {
  const codes = (await listOf(db, 'tax-code')).map(({ id, name, facts }) => {
    const { rates } = factsOf['tax-code'].parse(facts)
    const percents = rates.map(({ percent }) => percent)
    return { id, name, rate: taxRateOf({ name, rates: percents }), rateId: rates[0]?.id ?? null, percents }
  })
  return { codes, practiceCode: codes.find(({ name }) => name === env.QUICKBOOKS_TAX_CODE) ?? null }
}

type Priced = Pick<
  typeof salesReceipts.$inferInsert,
  | 'customerId'
  | 'customerName'
  | 'lines'
  | 'taxes'
  | 'subtotalCents'
  | 'discountPercent'
  | 'discountCents'
  | 'taxCents'
  | 'totalCents'
  | 'prepaidCents'
  | 'prepaid'
  | 'issuedCents'
  | 'depositAccountId'
  | 'depositAccountName'
  | 'classId'
  | 'className'
  | 'paymentMethod'
  | 'isDeposit'
  | 'memo'
>

/** The account with this ID, if it can receive or pay out payments. */
export async function depositAccount(db: Db, id: string): Promise<{ id: string; name: string } | { wrong: string }> {
  const [account] = await objectsOf(db, 'account', [id])
  if (!account) return { wrong: unknown('account') }
  const { name, facts } = account
  return isClearing({ name, ...factsOf.account.parse(facts) }) ? { id, name } : { wrong: 'Payments do not go to this account' }
}

const unknown = (what: string) => `This ${what} was not found in QuickBooks`

/**
 * Prices the payload from its lines and the local copy of the QuickBooks lists. Refused if it references unknown objects,
 * or if its amounts differ from the computed ones. Does not call QuickBooks.
 *
 * @param ownUses what pays besides the payload's gift cards and credit: a package's session, or the practice's goodwill
 */
export async function price(
  { db, env, now }: Pick<Scope, 'db' | 'env' | 'now'>,
  payload: ReceiptPayload,
  ownUses: readonly PrepaidUse[] = [],
) {
  const items = payload.lineItems.flatMap(({ SalesItemLineDetail: { ItemRef }, package: sold }) =>
    sold ? [ItemRef.value, sold.itemId] : [ItemRef.value],
  )
  const [known, customers, account, classes, { codes, practiceCode }, prepaidItems] = await Promise.all([
    objectsOf(db, 'item', items),
    objectsOf(db, 'customer', [payload.customerId]),
    depositAccount(db, payload.depositAccount),
    payload.classRef ? objectsOf(db, 'class', [payload.classRef]) : [],
    taxCodesOf(db, env),
    prepaidItemsOf(db, env),
  ])
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const invalid: Record<string, string> = {}
  const [customer, salesClass] = [customers[0], classes[0]]
  if (!customer) invalid.customerId = unknown('customer')
  else if (!customer.email) invalid.customerId = posMessages.emailRequired
  if ('wrong' in account) invalid.depositAccount = account.wrong
  if (payload.classRef && !salesClass) invalid.classRef = unknown('class')

  const names = new Map(known.map(({ id, name }) => [id, name]))
  const lines = payload.lineItems.map((line, index) => {
    const { ItemRef, TaxCodeRef, UnitPrice, Qty } = line.SalesItemLineDetail
    const at = `lineItems.${index}`
    const code = TaxCodeRef.value === defaultTaxCode ? practiceCode : codes.find(({ id }) => id === TaxCodeRef.value)
    const name = names.get(ItemRef.value)
    const reason = line.exemptReason ?? null
    if (name === undefined) invalid[`${at}.SalesItemLineDetail.ItemRef`] = unknown('item')
    if (!code) invalid[`${at}.SalesItemLineDetail.TaxCodeRef`] = unknown('tax code')
    const cart = { unitPrice: UnitPrice, quantity: Qty, taxCodeId: code?.id ?? '', rate: code?.rate ?? 0 } satisfies CartLine
    const sold = line.package && { ...line.package, itemName: names.get(line.package.itemId) ?? '' }
    if (sold?.itemName === '') invalid[`${at}.package.itemId`] = unknown('item')
    const { kind, wrong } = issueOf(
      prepaidItems,
      {
        itemId: ItemRef.value,
        rate: cart.rate,
        quantity: Qty,
        amountCents: UnitPrice * Qty,
        package: sold,
      },
      today,
    )
    for (const [field, message] of Object.entries(wrong)) invalid[`${at}.${field}`] = message
    return { line, code, name: name ?? '', reason, cart, issues: kind, sold }
  })
  if ('wrong' in account || Object.keys(invalid).length > 0) return invalidReference(invalid)

  const totals = totalsOf(
    lines.map(({ cart }) => cart),
    payload.discountPercent,
  )
  const differs = differences(payload, totals)
  if (Object.keys(differs).length > 0) return refuse('TOTALS_DIFFER', { fields: differs })
  const issuesAny = lines.some(({ issues }) => issues !== null)
  if (issuesAny && payload.discountPercent > 0)
    return invalidReference({ discountPercent: 'Gift cards, packages and credit have no discount: change the price' })
  if (payload.prepaid.length > 0 && lines.some(({ issues }) => issues === 'gift-card' || issues === 'credit'))
    return invalidReference({ prepaid: 'Gift cards and credit can’t be bought with gift cards or credit' })
  const found = await findUses(db, env, payload.customerId, payload.prepaid)
  if (isRefusal(found)) return found
  const prepaid = [...ownUses, ...found]
  const prepaidCents = prepaid.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (prepaidCents > totals.total) return invalidReference({ prepaid: 'This is more than the total' })
  const kept: ReceiptLine[] = lines.map(({ line, code, name, reason, cart, issues, sold }, index) => ({
    itemId: line.SalesItemLineDetail.ItemRef.value,
    name,
    description: line.Description ?? null,
    quantity: cart.quantity,
    unitPriceCents: cart.unitPrice,
    amountCents: totals.lines[index]!.amount,
    taxCodeId: cart.taxCodeId,
    taxCodeName: code!.name,
    taxRate: cart.rate,
    taxCents: totals.lines[index]!.tax,
    exemptReason: reason,
    ...(issues && { issues }),
    ...(sold && { package: sold }),
  }))
  const byId = new Map(codes.map((code) => [code.id, code]))
  const result: Priced = {
    customerId: payload.customerId,
    customerName: customer!.name,
    lines: kept,
    taxes: totals.taxes.map(({ taxCodeId, rate, base, tax }) => {
      const { name, rateId } = byId.get(taxCodeId)!
      return { taxCodeId, name, rate, base, tax, rateId }
    }),
    subtotalCents: totals.subtotal,
    discountPercent: payload.discountPercent,
    discountCents: totals.discount,
    taxCents: totals.tax,
    totalCents: totals.total,
    prepaidCents,
    prepaid,
    issuedCents: issuedCents(kept),
    depositAccountId: account.id,
    depositAccountName: account.name,
    classId: salesClass?.id ?? null,
    className: salesClass?.name ?? null,
    // The payload of spec 3 has no payment method; our dialog requires one.
    paymentMethod:
      prepaidCents > 0 && prepaidCents === totals.total ? prepaidMethods[prepaid[0]!.kind] : (payload.paymentMethod ?? otherMethod),
    isDeposit: payload.isDeposit,
    memo: payload.memo,
  }
  return result
}

/** Product: the server recomputes every receipt from its lines and refuses one whose amounts differ from what was confirmed. */
function differences(payload: ReceiptPayload, totals: Totals): Record<string, string> {
  const mismatch = (field: string, given: number, right: number) =>
    given === right ? [] : [[field, `This is not what the lines come to`] as const]
  return Object.fromEntries([
    ...payload.lineItems.flatMap(({ Amount }, index) => mismatch(`lineItems.${index}.Amount`, Amount, totals.lines[index]!.amount)),
    ...mismatch('subtotal', payload.subtotal, totals.subtotal),
    ...mismatch('discountAmount', payload.discountAmount, totals.discount),
    ...mismatch('taxAmount', payload.taxAmount, totals.tax),
    ...mismatch('total', payload.total, totals.total),
  ])
}
