import type { z } from 'zod'
import { amountOfCents } from '../../../../shared/money.ts'
import { formatMoney } from '../../../../ui/format.ts'
import { type PosCustomer, posMessages, type PosTaxCode, type receiptPayload } from '../../contract.ts'
import { cartLimits, type Totals, totalsOf } from '../../rules.ts'
import { prepaidMessages } from '../../../prepaid/contract.ts'
import { type CartAction, type CartItem, changeCart, isExempt, linesOf } from './cart/cart.ts'
import { discountOfText } from './cart/typed-amounts.ts'
import { type PrepaidChoice, spreadPrepaid } from './prepaid.ts'

/** Payment methods that staff record themselves. */
export const ways = ['Visa', 'Mastercard', 'Amex', 'Debit', 'Cash', 'Transfer', 'Cheque', 'Other'] as const
/** Charges the card at a reader, where the practice has one. */
export const terminalWay = 'Card terminal'
export type Way = typeof terminalWay | (typeof ways)[number]

/** A customer's name without the email that tells two customers of the same name apart in QuickBooks: it is shown next to the name. */
export function customerName({ name, email }: Pick<PosCustomer, 'name' | 'email'>): string {
  const suffix = ` (${email ?? ''})`
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

/** The sale as entered so far. */
export interface Sale {
  customer: PosCustomer | null
  depositAccountId: string | null
  classId: string | null
  way: Way | null
  memo: string
  /** Whether the payment is credit for future treatment rather than the price of the items. */
  isDeposit: boolean
  /** In percent, as typed. */
  discount: string
  cart: readonly CartItem[]
  /** Gift cards and store credit, which pay first. */
  prepaid: readonly PrepaidChoice[]
}

export const emptySale: Sale = {
  customer: null,
  depositAccountId: null,
  classId: null,
  way: null,
  memo: '',
  isDeposit: false,
  discount: '',
  cart: [],
  prepaid: [],
}

export type SaleAction =
  | CartAction
  | { do: 'set'; change: Partial<Omit<Sale, 'cart'>> }
  /** All items of a quote at once. */
  | ({ do: 'fill' } & Pick<Sale, 'cart' | 'discount'>)

export function changeSale(sale: Sale, action: SaleAction): Sale {
  if (action.do === 'set') return { ...sale, ...action.change }
  if (action.do === 'fill') return { ...sale, cart: action.cart, discount: action.discount }
  return { ...sale, cart: changeCart(sale.cart, action) }
}

/** The totals of the sale. An invalid discount counts as none. */
export const totalsOfSale = ({ cart, discount }: Sale, codes: readonly PosTaxCode[]): Totals =>
  totalsOf(linesOf(cart, codes), discountOfText(discount) ?? 0)

/** What gift cards and credit pay of the sale, and what is left to pay in money, in cents. */
export const prepaidOf = (sale: Sale, codes: readonly PosTaxCode[]) => spreadPrepaid(sale.prepaid, totalsOfSale(sale, codes).total)

/**
 * Problems that keep a sale from being confirmed, by field; the first one gets the focus.
 * @param prepaidItems the items whose price is a balance to be used later, so that it can't be zero
 * @param toCreate the first name of the chosen patient, who is not in QuickBooks yet
 */
export function missingOf(
  sale: Sale,
  codes: readonly PosTaxCode[],
  prepaidItems: readonly string[] = [],
  toCreate: string | null = null,
): Record<string, string> {
  const lines = sale.cart.flatMap((line): [string, string][] => [
    ...(line.unitPrice > cartLimits.unitPrice
      ? [[`price ${line.itemId}`, `The maximum is ${formatMoney(cartLimits.unitPrice)}`] satisfies [string, string]]
      : []),
    ...(line.unitPrice === 0 && prepaidItems.includes(line.itemId)
      ? [[`price ${line.itemId}`, prepaidMessages.amount] satisfies [string, string]]
      : []),
    ...(isExempt(line, codes) && line.exemptReason.trim() === ''
      ? [[`reason ${line.itemId}`, posMessages.exemptReason] satisfies [string, string]]
      : []),
  ])
  return Object.fromEntries([
    ...(sale.customer
      ? []
      : [toCreate === null ? ['customer', 'Choose a customer'] : ['create', `Create ${toCreate} in QuickBooks first`]]),
    ...(sale.cart.length === 0 ? [['items', posMessages.noItems]] : []),
    ...(sale.cart.length > cartLimits.lines ? [['items', `A receipt has at most ${cartLimits.lines} lines`]] : []),
    ...lines,
    ...(sale.way || isPrepaid(sale, codes) ? [] : [['way', 'Choose how it was paid']]),
    ...(sale.depositAccountId ? [] : [['account', 'Choose a deposit account']]),
    ...(discountOfText(sale.discount) === null ? [['discount', posMessages.discount]] : []),
  ]) as Record<string, string>
}

/** Whether gift cards and credit pay all of it. */
export const isPrepaid = (sale: Sale, codes: readonly PosTaxCode[]): boolean =>
  sale.prepaid.length > 0 && prepaidOf(sale, codes).moneyCents === 0

export type ReceiptToSend = z.input<typeof receiptPayload>

/** The sale as spec 3's payload; amounts in dollars. Requires a sale without problems. */
export function payloadOf(sale: Sale, codes: readonly PosTaxCode[], idempotencyKey: string): ReceiptToSend {
  const totals = totalsOfSale(sale, codes)
  return {
    customerId: sale.customer!.id,
    customerName: sale.customer!.name,
    classRef: sale.classId,
    lineItems: sale.cart.map((line, index) => ({
      DetailType: 'SalesItemLineDetail',
      Amount: amountOfCents(totals.lines[index]!.amount),
      Description: line.description ?? line.name,
      SalesItemLineDetail: {
        ItemRef: { value: line.itemId, name: line.name },
        UnitPrice: amountOfCents(line.unitPrice),
        Qty: line.quantity,
        TaxCodeRef: { value: line.taxCodeId },
      },
      ...(isExempt(line, codes) ? { exemptReason: line.exemptReason.trim() } : {}),
      ...(line.package && { package: { itemId: line.package.itemId, sessions: line.package.sessions, expiresOn: line.package.expiresOn } }),
    })),
    subtotal: amountOfCents(totals.subtotal),
    discountPercent: amountOfCents(discountOfText(sale.discount) ?? 0),
    discountAmount: amountOfCents(totals.discount),
    taxAmount: amountOfCents(totals.tax),
    total: amountOfCents(totals.total),
    depositAccount: sale.depositAccountId!,
    memo: sale.memo.trim() || null,
    paymentMethod: isPrepaid(sale, codes) ? null : sale.way,
    isDeposit: sale.isDeposit,
    prepaid: sale.prepaid.flatMap(({ code, accountId }, index) => {
      const amountCents = prepaidOf(sale, codes).paid[index]!
      return amountCents > 0 ? [{ ...(code === undefined ? { accountId } : { code }), amountCents }] : []
    }),
    idempotencyKey,
  }
}
