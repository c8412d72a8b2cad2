import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { factsOf, listOf, objectsOf } from '../quickbooks/service.ts'
import { isClearing } from '../quickbooks/rules.ts'
import { posMessages, type ReceiptPayload } from './contract.ts'
import type { ReceiptLine } from '../payments/contract.ts'
import { type CartLine, defaultTaxCode, otherMethod, taxRateOf, type Totals, totalsOf } from './rules.ts'
import type { salesReceipts } from '../payments/table.ts'

export type KnownTaxCode = {
  id: string
  name: string /** In millionths. */
  rate: number /** QuickBooks' id of the rate. */
  rateId: string | null
  percents: number[]
}

/** The tax codes as they are known here, and the practice's own, which 'TAX' stands for. */
export async function taxCodesOf(db: Db, env: Env): Promise<{ codes: KnownTaxCode[]; usual: KnownTaxCode | null }> {
  const codes = (await listOf(db, 'tax-code')).map(({ id, name, facts }) => {
    const { rates } = factsOf['tax-code'].parse(facts)
    const percents = rates.map(({ percent }) => percent)
    return { id, name, rate: taxRateOf({ name, rates: percents }), rateId: rates[0]?.id ?? null, percents }
  })
  return { codes, usual: codes.find(({ name }) => name === env.QUICKBOOKS_TAX_CODE) ?? null }
}

type Priced = Pick<
  typeof salesReceipts.$inferInsert,
  | 'customerId' | 'customerName' | 'lines' | 'taxes' | 'subtotalCents' | 'discountPercent' | 'discountCents' | 'taxCents' | 'totalCents'
  | 'depositAccountId' | 'depositAccountName' | 'classId' | 'className' | 'paymentMethod' | 'isDeposit' | 'memo'
> // biome-ignore format: a list reads better in rows

/** The account with this id, if payments go to it or come from it. */
export async function depositAccount(db: Db, id: string): Promise<{ id: string; name: string } | { wrong: string }> {
  const [account] = await objectsOf(db, 'account', [id])
  if (!account) return { wrong: unknown('account') }
  const { name, facts } = account
  return isClearing({ name, ...factsOf.account.parse(facts) }) ? { id, name } : { wrong: 'Payments do not go to this account' }
}

const unknown = (what: string) => `This ${what} is not known in QuickBooks`

/**
 * What the payload asks for, worked out from its lines and from what is known of the books alone. Refused where it names what is not known there,
 * or where its amounts are not what the lines come to. QuickBooks is not asked.
 */
export async function price(db: Db, env: Env, payload: ReceiptPayload) {
  const items = payload.lineItems.map((line) => line.SalesItemLineDetail)
  const [known, customers, account, classes, { codes, usual }] = await Promise.all([
    objectsOf(
      db,
      'item',
      items.map(({ ItemRef }) => ItemRef.value),
    ),
    objectsOf(db, 'customer', [payload.customerId]),
    depositAccount(db, payload.depositAccount),
    payload.classRef ? objectsOf(db, 'class', [payload.classRef]) : [],
    taxCodesOf(db, env),
  ])
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
    const code = TaxCodeRef.value === defaultTaxCode ? usual : codes.find(({ id }) => id === TaxCodeRef.value)
    const name = names.get(ItemRef.value)
    const reason = line.exemptReason ?? null
    if (name === undefined) invalid[`${at}.SalesItemLineDetail.ItemRef`] = unknown('item')
    if (!code) invalid[`${at}.SalesItemLineDetail.TaxCodeRef`] = unknown('tax code')
    return {
      line,
      code,
      name: name ?? '',
      reason,
      cart: { unitPrice: UnitPrice, quantity: Qty, taxCodeId: code?.id ?? '', rate: code?.rate ?? 0 } satisfies CartLine,
    }
  })
  if ('wrong' in account || Object.keys(invalid).length > 0) return invalidReference(invalid)

  const totals = totalsOf(
    lines.map(({ cart }) => cart),
    payload.discountPercent,
  )
  const differs = differences(payload, totals)
  if (Object.keys(differs).length > 0) return refuse('TOTALS_DIFFER', { fields: differs })
  const kept: ReceiptLine[] = lines.map(({ line, code, name, reason, cart }, index) => ({
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
    depositAccountId: account.id,
    depositAccountName: account.name,
    classId: salesClass?.id ?? null,
    className: salesClass?.name ?? null,
    // The payload of spec 3 says no way of paying; our dialog requires one.
    paymentMethod: payload.paymentMethod ?? otherMethod,
    isDeposit: payload.isDeposit,
    memo: payload.memo,
  }
  return result
}

/** Product: the server works every receipt out from its lines and refuses one whose amounts differ from what was confirmed. */
function differences(payload: ReceiptPayload, totals: Totals): Record<string, string> {
  const told = (field: string, given: number, right: number) =>
    given === right ? [] : [[field, `This is not what the lines come to`] as const]
  return Object.fromEntries([
    ...payload.lineItems.flatMap(({ Amount }, index) => told(`lineItems.${index}.Amount`, Amount, totals.lines[index]!.amount)),
    ...told('subtotal', payload.subtotal, totals.subtotal),
    ...told('discountAmount', payload.discountAmount, totals.discount),
    ...told('taxAmount', payload.taxAmount, totals.tax),
    ...told('total', payload.total, totals.total),
  ])
}
