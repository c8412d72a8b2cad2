import { z } from 'zod'
import { centsOfAmount } from '../../shared/money.ts'
import { idempotencyKeyShape, optionalText, personName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { created, email, fields, get, id, maxTotal, named, post, receiptCalls, receiptMessages, settling } from './receipt-contract.ts'
import { cartLimits } from './rules.ts'

/** Spec 5 and 8, word for word, and what they leave open. */
export const posMessages = {
  ...receiptMessages,
  newCustomer: 'First name, last name, and email are required for POS customers',
  twoLetters: 'Type at least 2 characters',
  noItems: 'No items in cart',
  quantity: 'The quantity must be a whole number of at least 1',
  money: 'Enter an amount in dollars and cents',
  discount: 'The discount must be between 0 and 100 percent, in steps of 0.01',
  exemptReason: 'Say why this line is exempt from tax',
} as const

/** Dollars as the spec's payload carries them; cents from here on. */
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
  /** Why an exempt line is exempt, kept with the receipt. Our dialog asks for it; the payload of spec 3 does not have it. */
  exemptReason: optionalText(200).optional(),
})

/** Spec 3's payload. Amounts are dollars and become cents; the percent becomes hundredths of a percent. */
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
  /** A charge of the patient's ledger that this pays: it takes what is open of it, once the receipt is complete. */
  chargeId: z.uuid().nullable().default(null),
  /** Taken as a deposit: it stays a credit of the patient until a charge takes it. Without this, a sale pays for its own items. */
  isDeposit: z.boolean('Say yes or no').default(false),
  /** Made when the dialog opens for confirmation: the same key never makes a second receipt. Without one, see pos/once.ts. */
  idempotencyKey: idempotencyKeyShape.optional(),
})
export type ReceiptPayload = z.output<typeof receiptPayload>

const customer = z.object({ id: z.string(), name: z.string(), email: z.string().nullable(), refyneContactId: z.uuid().nullable() })
export type PosCustomer = z.output<typeof customer>

const item = z.object({
  qbItemId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** In dollars, as QuickBooks says it; cents in it are exact. */
  unitPrice: z.number(),
  taxCodeRef: z.string().nullable(),
})
export type PosItem = z.output<typeof item>

const taxCode = z.object({ Id: z.string(), Name: z.string(), SalesTaxRateList: z.array(z.object({ RateValue: z.number() })) })
export type PosTaxCode = z.output<typeof taxCode>

/** Beside what a list or search answers: since when it is known, and whether QuickBooks could be asked. */
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
/** Spec 7's point-of-sale calls, at its paths and in its shapes, and those about receipts. */
export const posContract = {
  searchCustomers: get('/qbo/customers/pos-search', 'Customers by name or by email, from 2 characters')
    .input(z.strictObject({ query: searched, type: z.enum(['name', 'email']).default('name') }))
    .output(z.object({ customers: z.array(customer), ...freshness })),
  createCustomer: post('/qbo/customers/create', 'Add a customer and its patient')
    .input(
      z.strictObject({
        ...customerNames.shape,
        email: requiredText(254, posMessages.newCustomer).pipe(z.email(posMessages.email)),
        /** The patient whom the customer is made for; without one, whoever has the email, or a new patient. */
        contactId: z.uuid().optional(),
      }),
    )
    .errors({ ...noQuickBooks, NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ Id: z.string(), name: z.string(), refyneContactId: z.uuid() })),
  updateCustomerEmail: post('/qbo/customers/update-email', 'Give a customer an email, and find or make the patient who has it')
    .input(z.strictObject({ customerId: id('Choose a customer'), email }))
    .errors({ ...noQuickBooks, NOT_FOUND: { status: 404, message: 'This customer does not exist' } })
    .output(z.object({ refyneContactId: z.uuid() })),
  customerOfContact: get('/pos/contacts/{contactId}/customer', 'The customer who is this patient, if there is one')
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ customer: customer.nullable() })),
  searchItems: get('/qbo/items/search', 'What can be sold, by name, from 2 characters')
    .input(z.strictObject({ query: searched }))
    .output(z.object({ items: z.array(item), ...freshness })),
  accounts: get('/qbo/references/accounts/filtered', 'The accounts that a payment can go to').output(
    z.object({
      accounts: z.array(named),
      /** Where the caller's last payment went. */ lastUsedAccount: z.string().nullable(),
      ...freshness,
    }),
  ),
  taxCodes: get('/qbo/references/taxcodes', 'Tax codes with their rates').output(
    z.object({ taxCodes: z.array(taxCode), /** What 'TAX' stands for. */ defaultTaxCode: z.string().nullable(), ...freshness }),
  ),
  classes: get('/qbo/references/classes', 'Classes').output(z.object({ classes: z.array(named), ...freshness })),
  createReceipt: post('/qbo/salesreceipt/create', 'Record a sale in QuickBooks, once')
    .input(receiptPayload)
    .errors({
      INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
      TOTALS_DIFFER: { status: 422, message: 'The amounts do not add up to what was confirmed. Nothing was recorded.', data: fields },
      KEY_REUSED: { status: 409, message: 'This key belongs to another receipt' },
      NOT_CONNECTED: { status: 409, message: posMessages.reconnect },
      ...settling,
    })
    .output(created),
  ...receiptCalls,
  findContacts: get('/refyne/contacts/search', 'Patients with this email')
    .input(z.strictObject({ email }))
    .output(z.array(z.object({ id: z.uuid() }))),
  addContact: post('/refyne/contacts', 'Find or make the patient of a customer')
    .input(
      z.strictObject({
        first_name: personName(100, 'First name'),
        last_name: personName(100, 'Last name'),
        email,
        qb_customer_id: optionalText(64).default(null),
      }),
    )
    .output(z.object({ id: z.uuid() })),
  logInteraction: post('/interactions', "Put a receipt on a patient's timeline; once, however often it is asked")
    .input(
      z.strictObject({
        contact_id: z.uuid(),
        type: z.literal('sales_receipt'),
        description: requiredText(10_000, 'Write what happened'),
        /** Not believed: who is signed in did it. */
        created_by: optionalText(100).optional(),
        qb_sales_receipt_id: id('Which receipt is it?'),
        /** Ignored, like the other two: the receipt has them. */
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
