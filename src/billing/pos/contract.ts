import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { centsOfAmount } from '../../shared/money.ts'
import { idempotencyKeyShape, optionalText, personName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { prepaidLimits } from '../prepaid/rules.ts'
import { created, email, fields, get, id, maxTotal, named, post, receiptCalls, receiptMessages, settling } from './receipt-contract.ts'
import { cartLimits } from './rules.ts'

/** Messages of spec 5 and 8, verbatim, and those that the spec leaves open. */
export const posMessages = {
  ...receiptMessages,
  newCustomer: 'First name, last name, and email are required for POS customers',
  twoLetters: 'Type at least 2 characters',
  noItems: 'No items in cart',
  quantity: 'The quantity must be a whole number of at least 1',
  money: 'Enter an amount in dollars and cents',
  discount: 'The discount must be between 0 and 100 percent, in steps of 0.01',
  exemptReason: 'Say why this line is exempt from tax',
  sessions: `A package has 2 to ${prepaidLimits.sessions} sessions`,
  giftCard: 'Enter the code of the gift card',
  prepaid: 'Enter an amount of at least $0.01',
} as const

/** Dollars in the spec's payload, parsed to cents. */
const dollars = (most: number) =>
  z
    .number(posMessages.money)
    .refine((amount) => centsOfAmount(amount) !== null && centsOfAmount(amount)! <= most, posMessages.money)
    .transform((amount) => centsOfAmount(amount)!)

const maxReceiptData = 64 * 1024

const reference = z.strictObject({ value: id('Choose one'), name: optionalText(500).optional() })

const lineItem = z.strictObject({
  DetailType: z.literal('SalesItemLineDetail'),
  Amount: dollars(maxTotal),
  Description: optionalText(4_000).optional(),
  SalesItemLineDetail: z.strictObject({
    ItemRef: reference,
    UnitPrice: dollars(cartLimits.unitPrice),
    Qty: z
      .number(posMessages.quantity)
      .int(posMessages.quantity)
      .min(1, posMessages.quantity)
      .max(cartLimits.quantity, posMessages.quantity),
    TaxCodeRef: reference,
  }),
  /** The exemption reason, stored with the receipt. Our dialog requires it; spec 3's payload does not have it. */
  exemptReason: optionalText(200).optional(),
  /** For a package: its sessions of an item, and its last day; without one it does not expire. */
  package: z
    .strictObject({
      itemId: id('Choose an item'),
      sessions: z
        .number(posMessages.sessions)
        .int(posMessages.sessions)
        .min(2, posMessages.sessions)
        .max(prepaidLimits.sessions, posMessages.sessions),
      expiresOn: calendarDay.nullable().default(null),
    })
    .optional(),
})

/** What a prepaid balance pays of a sale, in cents: a gift card by its code, or the patient’s store credit by its account. */
const prepaidUse = z
  .strictObject({
    code: requiredText(40, posMessages.giftCard).optional(),
    accountId: z.uuid().optional(),
    amountCents: z.number(posMessages.prepaid).int(posMessages.prepaid).min(1, posMessages.prepaid).max(maxTotal, posMessages.prepaid),
  })
  .refine(({ code, accountId }) => (code === undefined) !== (accountId === undefined), { path: ['code'], message: posMessages.giftCard })

/** Spec 3's payload. Dollars are parsed to cents, and the percentage to hundredths of a percent. */
export const receiptPayload = z.strictObject({
  customerId: id('Choose a customer'),
  customerName: requiredLine(500, 'Choose a customer'),
  classRef: optionalText(64).default(null),
  lineItems: z.array(lineItem).min(1, posMessages.noItems).max(cartLimits.lines, `A receipt has at most ${cartLimits.lines} lines`),
  subtotal: dollars(maxTotal),
  discountPercent: z
    .number(posMessages.discount)
    .refine((percent) => percent <= 100 && centsOfAmount(percent) !== null, posMessages.discount)
    .transform((percent) => centsOfAmount(percent)!),
  discountAmount: dollars(maxTotal),
  taxAmount: dollars(maxTotal),
  total: dollars(maxTotal),
  depositAccount: id('Choose a deposit account'),
  memo: optionalText(1_000).default(null),
  paymentMethod: optionalText(64).default(null),
  /** The ledger charge that this pays, up to its open amount, once the receipt is complete. */
  chargeId: z.uuid().nullable().default(null),
  /** Whether this is a deposit, which stays patient credit until it is applied to a charge. Otherwise the sale pays for its own items. */
  isDeposit: z.boolean('Must be true or false').default(false),
  /** What is paid by gift cards and store credit; the payment method pays the rest. */
  prepaid: z.array(prepaidUse).max(prepaidLimits.uses, `At most ${prepaidLimits.uses} gift cards and credits`).default([]),
  /** Generated when the dialog asks for confirmation; a repeated key never creates a second receipt. Without a key, see pos/idempotency.ts. */
  idempotencyKey: idempotencyKeyShape.optional(),
})
export type ReceiptPayload = z.output<typeof receiptPayload>

const customer = z.object({ id: z.string(), name: z.string(), email: z.string().nullable(), refyneContactId: z.uuid().nullable() })
export type PosCustomer = z.output<typeof customer>

const item = z.object({
  qbItemId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** In dollars, as in QuickBooks; exact to the cent. */
  unitPrice: z.number(),
  taxCodeRef: z.string().nullable(),
})
export type PosItem = z.output<typeof item>

const taxCode = z.object({ Id: z.string(), Name: z.string(), SalesTaxRateList: z.array(z.object({ RateValue: z.number() })) })
export type PosTaxCode = z.output<typeof taxCode>

/** Metadata of a list or search: when it was last read, and whether QuickBooks could be reached. */
const freshness = { readAt: z.date().nullable(), isUnavailable: z.boolean() }

export const customerNames = z.object({
  firstName: personName(100, 'First name', posMessages.newCustomer),
  lastName: personName(100, 'Last name', posMessages.newCustomer),
})
const searched = requiredText(100, posMessages.twoLetters).pipe(z.string().min(2, posMessages.twoLetters))

const noQuickBooks = {
  RECONNECT: { status: 409, message: posMessages.reconnect },
  AWAY: { status: 503, message: 'QuickBooks does not answer. Please try again in a moment.' },
  REFUSED: { status: 422, message: 'QuickBooks refused this' },
} as const
/** Spec 7's point-of-sale calls, with its paths and shapes, and the receipt calls. */
export const posContract = {
  searchCustomers: get('/qbo/customers/pos-search', 'Search customers by name or email, from 2 characters')
    .input(z.strictObject({ query: searched, type: z.enum(['name', 'email']).default('name') }))
    .output(z.object({ customers: z.array(customer), ...freshness })),
  createCustomer: post('/qbo/customers/create', 'Add a customer and its patient')
    .input(
      z.strictObject({
        ...customerNames.shape,
        email: requiredText(254, posMessages.newCustomer).pipe(z.email(posMessages.email)),
        /** The patient to link; without one, the patient with this email, or a new one. */
        contactId: z.uuid().optional(),
      }),
    )
    .errors({ ...noQuickBooks, NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ Id: z.string(), name: z.string(), refyneContactId: z.uuid() })),
  updateCustomerEmail: post('/qbo/customers/update-email', 'Set a customer’s email, and find or create the patient with it')
    .input(z.strictObject({ customerId: id('Choose a customer'), email }))
    .errors({ ...noQuickBooks, NOT_FOUND: { status: 404, message: 'This customer does not exist' } })
    .output(z.object({ refyneContactId: z.uuid() })),
  customerOfContact: get('/pos/contacts/{contactId}/customer', 'Get a patient’s customer, if any')
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ customer: customer.nullable() })),
  searchItems: get('/qbo/items/search', 'Search items by name, from 2 characters')
    .input(z.strictObject({ query: searched }))
    .output(z.object({ items: z.array(item), ...freshness })),
  accounts: get('/qbo/references/accounts/filtered', 'List deposit accounts for payments').output(
    z.object({
      accounts: z.array(named),
      /** The deposit account of the caller's last payment, other than that of cards. */ lastUsedAccount: z.string().nullable(),
      /** Where cards that a reader takes are deposited: Stripe pays out from there. Null: QuickBooks has no such account. */
      cardAccount: z.string().nullable(),
      ...freshness,
    }),
  ),
  taxCodes: get('/qbo/references/taxcodes', 'List tax codes with their rates').output(
    z.object({ taxCodes: z.array(taxCode), /** What 'TAX' stands for. */ defaultTaxCode: z.string().nullable(), ...freshness }),
  ),
  classes: get('/qbo/references/classes', 'List classes').output(z.object({ classes: z.array(named), ...freshness })),
  createReceipt: post('/qbo/salesreceipt/create', 'Record a sale in QuickBooks, once')
    .input(receiptPayload)
    .errors({
      INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
      TOTALS_DIFFER: { status: 422, message: 'The amounts do not add up to what was confirmed. Nothing was recorded.', data: fields },
      KEY_REUSED: { status: 409, message: 'This idempotency key was used for another receipt' },
      NOT_CONNECTED: { status: 409, message: posMessages.reconnect },
      ...settling,
    })
    .output(created),
  ...receiptCalls,
  findContacts: get('/refyne/contacts/search', 'Find patients by email')
    .input(z.strictObject({ email }))
    .output(z.array(z.object({ id: z.uuid() }))),
  addContact: post('/refyne/contacts', 'Find or create the patient of a customer')
    .input(
      z.strictObject({
        first_name: personName(100, 'First name'),
        last_name: personName(100, 'Last name'),
        email,
        qb_customer_id: optionalText(64).default(null),
      }),
    )
    .output(z.object({ id: z.uuid() })),
  logInteraction: post('/interactions', "Add a receipt to a patient's timeline (idempotent)")
    .input(
      z.strictObject({
        contact_id: z.uuid(),
        type: z.literal('sales_receipt'),
        description: requiredText(10_000, 'Enter what happened'),
        /** Ignored: the signed-in user is recorded. */
        created_by: optionalText(100).optional(),
        qb_sales_receipt_id: id('Which receipt is it?'),
        /** Ignored, like the other two: the receipt has these values. */
        sales_receipt_data: z
          .record(z.string(), z.unknown(), 'Send an object')
          .refine((data) => JSON.stringify(data).length <= maxReceiptData, 'This is too large: 64 KiB at most')
          .nullish(),
        payment_method: optionalText(100).optional(),
        deposit_account: optionalText(100).optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This patient does not exist' },
      NO_RECEIPT: { status: 422, message: 'Receipt not found' },
    })
    .output(z.object({ id: z.uuid() })),
}
