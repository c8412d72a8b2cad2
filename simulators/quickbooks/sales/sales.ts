/** Sales receipts and refund receipts: every reference must exist, every amount must add up, and the tax is the simulator's own. */
import type { Books, Draft } from '../company-store.ts'
import { quickBooksTime, type EntityType, type Reference } from '../entity.ts'
import { centsOf, decimal, dollarsOf, equal, multiply, rounded } from '../fraction.ts'
import { parseInput } from '../parse-input.ts'
import { businessFault, inactiveReference, missing, unknownReference, validationFault } from '../refusal.ts'
import { type DiscountLine, type ItemLine, type SaleInput, saleInput } from './sale-input.ts'
import { type Rate, taxOf } from './tax.ts'
import { taxDetail } from './tax-detail.ts'

/** How QuickBooks calls its lists in "... element id 7 not found". */
const lists: Partial<Record<EntityType, string>> = {
  Customer: 'Names',
  Account: 'Accounts',
  Class: 'Klasses',
  PaymentMethod: 'Payment method',
}

/** What QuickBooks sets itself is dropped from what a caller sends. */
const ownFields = ['Id', 'SyncToken', 'sparse', 'domain', 'MetaData', 'TotalAmt', 'Balance', 'HomeTotalAmt']

type Context = { books: Books; now: number; requestId?: string | undefined; allowDuplicateNumber: boolean }

/** @returns the body to answer with. @throws Refusal for what QuickBooks would not book. */
export function createSale(type: 'SalesReceipt' | 'RefundReceipt', body: unknown, context: Context): Record<string, unknown> {
  const { books } = context
  const input = parseInput(saleInput, body)
  const itemLines = input.Line.filter((line) => line.DetailType === 'SalesItemLineDetail')
  const discounts = input.Line.filter((line) => line.DetailType === 'DiscountLineDetail')
  if (itemLines.length === 0) throw missing('Line')
  if (discounts.length > 1) throw businessFault('A transaction can have one discount line only.')

  const rates = itemLines.map((line) => ratesOf(books, line, input.GlobalTaxCalculation))
  const inclusive = input.GlobalTaxCalculation === 'TaxInclusive'
  const amounts = itemLines.map((line) => lineCents(line, inclusive))
  const subtotal = sumOf(itemLines.map((line) => centsOf(line.Amount)))
  const discount = discounts[0] ? discountCents(discounts[0], sumOf(amounts)) : 0n
  const tax = taxOf({
    method: input.GlobalTaxCalculation,
    lines: amounts.map((cents, index) => ({ cents, rates: rates[index] ?? [] })),
    discountCents: discount,
    discountBeforeTax: input.ApplyTaxAfterDiscount,
  })
  const { detail, totalTax } = taxDetail(books, tax, input.TxnTaxDetail?.TaxLine ?? [])
  const total = sumOf(amounts) - discount + (inclusive ? 0n : totalTax)
  if (total < 0n) throw businessFault('Transaction amount must be 0 or greater.')

  const draft: Draft = {
    ...Object.fromEntries(Object.entries(input).filter(([field]) => !ownFields.includes(field))),
    ...references(books, type, input),
    DocNumber: documentNumber(type, input.DocNumber, context),
    TxnDate: input.TxnDate ?? quickBooksTime(context.now).slice(0, 10),
    CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
    Line: [
      ...input.Line.filter((line) => line.DetailType === 'SalesItemLineDetail' || line.DetailType === 'DescriptionOnly').map(
        (line, index) => ({
          ...(line.DetailType === 'SalesItemLineDetail' ? keptLine(books, line, inclusive) : line),
          Id: String(index + 1),
          LineNum: index + 1,
        }),
      ),
      { Amount: dollarsOf(subtotal), DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
      ...discounts.map((line) => keptDiscount(books, line, discount)),
    ],
    TxnTaxDetail: detail,
    TotalAmt: dollarsOf(total),
    Balance: 0,
    PrintStatus: 'NeedToPrint',
    EmailStatus: 'NotSet',
  }
  return books.create(type, draft, context.requestId)
}

/** The amount that the tax is calculated on: with `inclusive` the one that holds the tax. @throws Refusal, code 6070. */
function lineCents({ Amount, SalesItemLineDetail: { UnitPrice, Qty, TaxInclusiveAmt } }: ItemLine, inclusive: boolean): bigint {
  const amount = centsOf(Amount)
  const product =
    UnitPrice === undefined || Qty === undefined ? amount : rounded(multiply(multiply(decimal(UnitPrice), decimal(Qty)), decimal(100)))
  if (product !== amount || !equal(decimal(Amount), decimal(dollarsOf(amount)))) {
    throw validationFault(
      6070,
      `Amount calculation incorrect in the request. Amount is not equal to UnitPrice * Qty. Supplied value:${Amount}`,
    )
  }
  return inclusive && TaxInclusiveAmt !== undefined ? centsOf(TaxInclusiveAmt) : amount
}

function discountCents({ Amount, DiscountLineDetail: { PercentBased, DiscountPercent } }: DiscountLine, subtotal: bigint): bigint {
  if (!PercentBased) {
    if (Amount === undefined) throw missing('Line.Amount')
    return centsOf(Amount)
  }
  if (DiscountPercent === undefined) throw missing('DiscountLineDetail.DiscountPercent')
  return rounded(multiply({ top: subtotal, bottom: 100n }, decimal(DiscountPercent)))
}

/** A Canadian company must give a tax code for each line, even an exempt one. */
function ratesOf(books: Books, line: ItemLine, method: SaleInput['GlobalTaxCalculation']): Rate[] {
  const given = line.SalesItemLineDetail.TaxCodeRef
  if (!given && method !== 'NotApplicable') throw businessFault('Make sure all your transactions have a GST/HST rate before you save.')
  if (!given) return []
  resolve(books, 'TaxCode', given)
  const list = books.find('TaxCode', given.value)?.SalesTaxRateList as { TaxRateDetail: { TaxRateRef: Reference }[] }
  return list.TaxRateDetail.flatMap(({ TaxRateRef }) => {
    const rate = books.find('TaxRate', TaxRateRef.value)
    return rate ? [{ id: rate.Id, name: String(rate.Name), percent: String(rate.RateValue) }] : []
  })
}

/** Money goes to, and a refund comes from, a bank account or one like Undeposited Funds. */
function references(books: Books, type: EntityType, input: SaleInput): Draft {
  if (type === 'RefundReceipt' && !input.DepositToAccountRef) throw missing('DepositToAccountRef')
  const undeposited = books.list('Account').find(({ AccountSubType }) => AccountSubType === 'UndepositedFunds')
  const deposit = resolve(books, 'Account', input.DepositToAccountRef ?? { value: undeposited?.Id ?? '' })
  const accountType = books.find('Account', deposit.value)?.AccountType
  if (accountType !== 'Bank' && accountType !== 'Other Current Asset') {
    throw businessFault('Select a bank account or an other current asset account for this transaction.')
  }
  return {
    DepositToAccountRef: deposit,
    ...(input.CustomerRef && { CustomerRef: resolve(books, 'Customer', input.CustomerRef) }),
    ...(input.ClassRef && { ClassRef: resolve(books, 'Class', input.ClassRef) }),
    ...(input.PaymentMethodRef && { PaymentMethodRef: resolve(books, 'PaymentMethod', input.PaymentMethodRef) }),
  }
}

/** @returns the reference with the name that the books have for it. @throws Refusal, code 2500. */
function resolve(books: Books, type: EntityType, { value }: { value: string }): Reference {
  const entity = books.find(type, value)
  if (!entity) throw unknownReference(lists[type] ?? type, value)
  if (entity.Active === false) throw inactiveReference()
  return { value, name: String(entity.DisplayName ?? entity.FullyQualifiedName ?? entity.Name) }
}

function keptLine(books: Books, line: ItemLine, inclusive: boolean): Draft {
  const { ItemRef, TaxCodeRef, ClassRef, UnitPrice, Qty, TaxInclusiveAmt: _taxInclusive, ...others } = line.SalesItemLineDetail
  return {
    ...line,
    Amount: dollarsOf(centsOf(line.Amount)),
    SalesItemLineDetail: {
      ...others,
      ItemRef: resolve(books, 'Item', ItemRef),
      ...(ClassRef && { ClassRef: resolve(books, 'Class', ClassRef) }),
      ...(UnitPrice !== undefined && { UnitPrice: Number(UnitPrice) }),
      ...(Qty !== undefined && { Qty: Number(Qty) }),
      ...(TaxCodeRef && { TaxCodeRef: { value: TaxCodeRef.value } }),
      ...(inclusive && { TaxInclusiveAmt: dollarsOf(lineCents(line, true)) }),
    },
  }
}

function keptDiscount(books: Books, line: DiscountLine, cents: bigint): Draft {
  const { PercentBased, DiscountPercent, DiscountAccountRef } = line.DiscountLineDetail
  const usual = books.list('Account').find(({ AccountSubType }) => AccountSubType === 'DiscountsRefundsGiven')
  return {
    Amount: dollarsOf(cents),
    DetailType: 'DiscountLineDetail',
    DiscountLineDetail: {
      PercentBased,
      ...(PercentBased && { DiscountPercent: Number(DiscountPercent) }),
      DiscountAccountRef: resolve(books, 'Account', DiscountAccountRef ?? { value: usual?.Id ?? '' }),
    },
  }
}

/** The one that is given, once per kind of transaction, or the next free one from 1001. @throws Refusal, code 6140. */
function documentNumber(type: EntityType, given: string | undefined, { books, allowDuplicateNumber }: Context): string {
  const receipts = [...books.list('SalesReceipt'), ...books.list('RefundReceipt')]
  if (given === undefined || given === '') {
    const taken = receipts.map(({ DocNumber }) => (/^\d{1,15}$/.test(String(DocNumber)) ? Number(DocNumber) : 0))
    return String(Math.max(1000, ...taken) + 1)
  }
  const same = allowDuplicateNumber ? undefined : books.list(type).find(({ DocNumber }) => DocNumber === given)
  if (same) {
    const detail = `You must specify a different number. This number has already been used. DocNumber=${given} is assigned to TxnType=${type} with TxnId=${same.Id}`
    throw validationFault(6140, `Duplicate Document Number Error : ${detail}`)
  }
  return given
}

function sumOf(cents: readonly bigint[]): bigint {
  return cents.reduce((sum, one) => sum + one, 0n)
}
