/** Sales receipts and refund receipts. References must exist, amounts must add up, and the simulator calculates the tax. */
import type { CompanyStore, Draft } from '../company-store.ts'
import { quickBooksTime, type EntityType, type Reference } from '../entity.ts'
import { centsOf, decimal, dollarsOf, equal, multiply, rounded } from '../fraction.ts'
import { parseInput } from '../parse-input.ts'
import { businessFault, inactiveReference, missing, unknownReference, validationFault } from '../refusal.ts'
import { type DiscountLine, type ItemLine, type SaleInput, saleInput } from './sale-input.ts'
import { type Rate, taxOf } from './tax.ts'
import { taxDetail } from './tax-detail.ts'

/** QuickBooks' names of its lists in the error “element id 7 not found”. */
const listNames: Partial<Record<EntityType, string>> = {
  Customer: 'Names',
  Account: 'Accounts',
  Class: 'Klasses',
  PaymentMethod: 'Payment method',
}

/** Fields that QuickBooks sets itself are dropped from the input. */
const ownFields = ['Id', 'SyncToken', 'sparse', 'domain', 'MetaData', 'TotalAmt', 'Balance', 'HomeTotalAmt']

export type SaleContext = { store: CompanyStore; now: number; requestId?: string | undefined; allowDuplicateNumber: boolean }

/** @returns the response body. @throws Refusal for an invalid receipt. */
export function createSale(type: 'SalesReceipt' | 'RefundReceipt', body: unknown, context: SaleContext): Record<string, unknown> {
  const { store } = context
  const input = parseInput(saleInput, body)
  const itemLines = input.Line.filter((line) => line.DetailType === 'SalesItemLineDetail')
  const discounts = input.Line.filter((line) => line.DetailType === 'DiscountLineDetail')
  if (itemLines.length === 0) throw missing('Line')
  if (discounts.length > 1) throw businessFault('A transaction can have one discount line only.')

  const rates = itemLines.map((line) => ratesOf(store, line, input.GlobalTaxCalculation))
  const isInclusive = input.GlobalTaxCalculation === 'TaxInclusive'
  const amounts = itemLines.map((line) => lineCents(line, isInclusive))
  const subtotal = sumOf(itemLines.map((line) => centsOf(line.Amount)))
  const discount = discounts[0] ? discountCents(discounts[0], sumOf(amounts)) : 0n
  const tax = taxOf({
    method: input.GlobalTaxCalculation,
    lines: amounts.map((cents, index) => ({ cents, rates: rates[index] ?? [] })),
    discountCents: discount,
    discountBeforeTax: input.ApplyTaxAfterDiscount,
  })
  const { detail, totalTax } = taxDetail(store, tax, input.TxnTaxDetail?.TaxLine ?? [])
  const total = sumOf(amounts) - discount + (isInclusive ? 0n : totalTax)
  if (total < 0n) throw businessFault('Transaction amount must be 0 or greater.')

  const draft: Draft = {
    ...Object.fromEntries(Object.entries(input).filter(([field]) => !ownFields.includes(field))),
    ...resolveReferences(store, type, input),
    DocNumber: documentNumber(type, input.DocNumber, context),
    TxnDate: input.TxnDate ?? quickBooksTime(context.now).slice(0, 10),
    CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
    Line: [
      ...input.Line.filter((line) => line.DetailType === 'SalesItemLineDetail' || line.DetailType === 'DescriptionOnly').map(
        (line, index) => ({
          ...(line.DetailType === 'SalesItemLineDetail' ? toStoredLine(store, line, isInclusive) : line),
          Id: String(index + 1),
          LineNum: index + 1,
        }),
      ),
      { Amount: dollarsOf(subtotal), DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
      ...discounts.map((line) => toStoredDiscount(store, line, discount)),
    ],
    TxnTaxDetail: detail,
    TotalAmt: dollarsOf(total),
    Balance: 0,
    PrintStatus: 'NeedToPrint',
    EmailStatus: 'NotSet',
  }
  return store.create(type, draft, context.requestId)
}

/** The amount for the tax calculation; with `isInclusive`, the amount with tax. @throws Refusal, code 6070. */
function lineCents({ Amount, SalesItemLineDetail: { UnitPrice, Qty, TaxInclusiveAmt } }: ItemLine, isInclusive: boolean): bigint {
  const amount = centsOf(Amount)
  const product =
    UnitPrice === undefined || Qty === undefined ? amount : rounded(multiply(multiply(decimal(UnitPrice), decimal(Qty)), decimal(100)))
  if (product !== amount || !equal(decimal(Amount), decimal(dollarsOf(amount)))) {
    throw validationFault(
      6070,
      `Amount calculation incorrect in the request. Amount is not equal to UnitPrice * Qty. Supplied value:${Amount}`,
    )
  }
  return isInclusive && TaxInclusiveAmt !== undefined ? centsOf(TaxInclusiveAmt) : amount
}

function discountCents({ Amount, DiscountLineDetail: { PercentBased, DiscountPercent } }: DiscountLine, subtotal: bigint): bigint {
  if (!PercentBased) {
    if (Amount === undefined) throw missing('Line.Amount')
    return centsOf(Amount)
  }
  if (DiscountPercent === undefined) throw missing('DiscountLineDetail.DiscountPercent')
  return rounded(multiply({ top: subtotal, bottom: 100n }, decimal(DiscountPercent)))
}

/** Canadian companies need a tax code on every line, even an exempt one. */
function ratesOf(store: CompanyStore, line: ItemLine, method: SaleInput['GlobalTaxCalculation']): Rate[] {
  const given = line.SalesItemLineDetail.TaxCodeRef
  if (!given && method !== 'NotApplicable') throw businessFault('Make sure all your transactions have a GST/HST rate before you save.')
  if (!given) return []
  resolve(store, 'TaxCode', given)
  const list = store.find('TaxCode', given.value)?.SalesTaxRateList as { TaxRateDetail: { TaxRateRef: Reference }[] }
  return list.TaxRateDetail.flatMap(({ TaxRateRef }) => {
    const rate = store.find('TaxRate', TaxRateRef.value)
    return rate ? [{ id: rate.Id, name: String(rate.Name), percent: String(rate.RateValue) }] : []
  })
}

/** The deposit account must be a bank account or one like Undeposited Funds. */
function resolveReferences(store: CompanyStore, type: EntityType, input: SaleInput): Draft {
  if (type === 'RefundReceipt' && !input.DepositToAccountRef) throw missing('DepositToAccountRef')
  const undeposited = store.list('Account').find(({ AccountSubType }) => AccountSubType === 'UndepositedFunds')
  return {
    DepositToAccountRef: depositAccount(store, input.DepositToAccountRef ?? { value: undeposited?.Id ?? '' }),
    ...(input.CustomerRef && { CustomerRef: resolve(store, 'Customer', input.CustomerRef) }),
    ...(input.ClassRef && { ClassRef: resolve(store, 'Class', input.ClassRef) }),
    ...(input.PaymentMethodRef && { PaymentMethodRef: resolve(store, 'PaymentMethod', input.PaymentMethodRef) }),
  }
}

/** @throws Refusal, code 6000, for an account that money can't be deposited to. */
export function depositAccount(store: CompanyStore, given: { value: string }): Reference {
  const deposit = resolve(store, 'Account', given)
  const accountType = store.find('Account', deposit.value)?.AccountType
  if (accountType !== 'Bank' && accountType !== 'Other Current Asset') {
    throw businessFault('Select a bank account or an other current asset account for this transaction.')
  }
  return deposit
}

/** @returns the reference with its stored name. @throws Refusal, code 2500. */
export function resolve(store: CompanyStore, type: EntityType, { value }: { value: string }): Reference {
  const entity = store.find(type, value)
  if (!entity) throw unknownReference(listNames[type] ?? type, value)
  if (entity.Active === false) throw inactiveReference()
  return { value, name: String(entity.DisplayName ?? entity.FullyQualifiedName ?? entity.Name) }
}

function toStoredLine(store: CompanyStore, line: ItemLine, isInclusive: boolean): Draft {
  const { ItemRef, TaxCodeRef, ClassRef, UnitPrice, Qty, TaxInclusiveAmt: _taxInclusive, ...others } = line.SalesItemLineDetail
  return {
    ...line,
    Amount: dollarsOf(centsOf(line.Amount)),
    SalesItemLineDetail: {
      ...others,
      ItemRef: resolve(store, 'Item', ItemRef),
      ...(ClassRef && { ClassRef: resolve(store, 'Class', ClassRef) }),
      ...(UnitPrice !== undefined && { UnitPrice: Number(UnitPrice) }),
      ...(Qty !== undefined && { Qty: Number(Qty) }),
      ...(TaxCodeRef && { TaxCodeRef: { value: TaxCodeRef.value } }),
      ...(isInclusive && { TaxInclusiveAmt: dollarsOf(lineCents(line, true)) }),
    },
  }
}

function toStoredDiscount(store: CompanyStore, line: DiscountLine, cents: bigint): Draft {
  const { PercentBased, DiscountPercent, DiscountAccountRef } = line.DiscountLineDetail
  const defaultAccount = store.list('Account').find(({ AccountSubType }) => AccountSubType === 'DiscountsRefundsGiven')
  return {
    Amount: dollarsOf(cents),
    DetailType: 'DiscountLineDetail',
    DiscountLineDetail: {
      PercentBased,
      ...(PercentBased && { DiscountPercent: Number(DiscountPercent) }),
      DiscountAccountRef: resolve(store, 'Account', DiscountAccountRef ?? { value: defaultAccount?.Id ?? '' }),
    },
  }
}

/** The given number, unique per transaction type, or the next free one from 1001. @throws Refusal, code 6140. */
function documentNumber(type: EntityType, given: string | undefined, { store, allowDuplicateNumber }: SaleContext): string {
  if (given === undefined || given === '') return store.nextNumber()
  const duplicate = allowDuplicateNumber ? undefined : store.findByKey(type, given)
  if (duplicate) {
    const detail = `You must specify a different number. This number has already been used. DocNumber=${given} is assigned to TxnType=${type} with TxnId=${duplicate.Id}`
    throw validationFault(6140, `Duplicate Document Number Error : ${detail}`)
  }
  return given
}

function sumOf(cents: readonly bigint[]): bigint {
  return cents.reduce((sum, one) => sum + one, 0n)
}
