import { oc } from '@orpc/contract'
import { z } from 'zod'
import { centsOfAmount } from '../../shared/money.ts'
import { optionalText, requiredLine, requiredText } from '../../shared/text.ts'
import { receiptFilters, receiptPage } from './filter.ts'
import { cartLimits, receiptStates } from './rules.ts'

/** Spec 5 and 8, word for word, and what they leave open. */
export const posMessages = {
  newCustomer: 'First name, last name, and email are required for POS customers',
  emailRequired: 'Email is required',
  email: 'Please enter a valid email address',
  twoLetters: 'Type at least 2 characters',
  noItems: 'No items in cart',
  quantity: 'The quantity must be a whole number of at least 1',
  money: 'Enter an amount in dollars and cents',
  discount: 'The discount must be between 0 and 100 percent, in steps of 0.01',
  exemptReason: 'Say why this line is exempt from tax',
  away: 'QuickBooks does not answer. The receipt is kept as pending and will be recorded once; it is safe to try again.',
  reconnect: 'QuickBooks is not connected. Ask an administrator to connect it in Settings.',
} as const

/** Of one page of pending receipts. */
export const mostPending = 200

const id = (message: string) => requiredText(64, message)

/** Dollars as the spec's payload carries them; cents from here on. */
const dollars = (most: number) =>
  z
    .number(posMessages.money)
    .refine((amount) => centsOfAmount(amount) !== null && centsOfAmount(amount)! <= most, posMessages.money)
    .transform((amount) => centsOfAmount(amount)!)

const mostTotal = cartLimits.unitPrice * cartLimits.quantity

const reference = z.strictObject({ value: id('Choose one'), name: optionalText(500).optional() })

const lineItem = z.strictObject({
  DetailType: z.literal('SalesItemLineDetail'),
  Amount: dollars(mostTotal),
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
  /** Why an exempt line is exempt; kept with the receipt. */
  exemptReason: optionalText(200).optional(),
})

/** Spec 3's payload. Amounts are dollars and become cents; the percent becomes hundredths of a percent. */
export const receiptPayload = z.strictObject({
  customerId: id('Choose a customer'),
  customerName: requiredLine(500, 'Choose a customer'),
  classRef: optionalText(64).default(null),
  lineItems: z.array(lineItem).min(1, posMessages.noItems).max(cartLimits.lines, `A receipt has at most ${cartLimits.lines} lines`),
  subtotal: dollars(mostTotal),
  discountPercent: z
    .number(posMessages.discount)
    .refine((percent) => percent <= 100 && centsOfAmount(percent) !== null, posMessages.discount)
    .transform((percent) => centsOfAmount(percent)!),
  discountAmount: dollars(mostTotal),
  taxAmount: dollars(mostTotal),
  total: dollars(mostTotal),
  depositAccount: id('Choose a deposit account'),
  memo: optionalText(1_000).default(null),
  paymentMethod: optionalText(64).default(null),
  /** Made when the dialog opens for confirmation: the same key never makes a second receipt. Without one, each call makes one. */
  idempotencyKey: z.uuid('This is no key').optional(),
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
const named = z.object({ Id: z.string(), Name: z.string() })
const person = z.object({ id: z.uuid(), name: z.string() })

/** Beside what a list or search answers: since when it is known, and whether QuickBooks could be asked. */
const freshness = { readAt: z.date().nullable(), isAway: z.boolean() }

const taxLine = z.object({ taxCodeId: z.string(), name: z.string(), rate: z.number(), base: z.number().int(), tax: z.number().int() })
const receiptLine = z.object({
  itemId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  quantity: z.number().int(),
  unitPriceCents: z.number().int(),
  amountCents: z.number().int(),
  taxCodeId: z.string(),
  taxCodeName: z.string(),
  /** In millionths. */
  taxRate: z.number().int(),
  taxCents: z.number().int(),
  exemptReason: z.string().nullable(),
})
export type ReceiptLine = z.output<typeof receiptLine>
export type ReceiptTax = z.output<typeof taxLine>

const receipt = z.object({
  id: z.uuid(),
  state: z.enum(receiptStates),
  customerId: z.string(),
  customerName: z.string(),
  /** The patient on whose timeline it is. */
  contactId: z.uuid().nullable(),
  lines: z.array(receiptLine),
  taxes: z.array(taxLine),
  subtotalCents: z.number().int(),
  /** In hundredths of a percent. */
  discountPercent: z.number().int(),
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  totalCents: z.number().int(),
  depositAccountId: z.string(),
  depositAccountName: z.string(),
  classId: z.string().nullable(),
  className: z.string().nullable(),
  paymentMethod: z.string().nullable(),
  memo: z.string().nullable(),
  qbId: z.string().nullable(),
  docNumber: z.string().nullable(),
  /** What QuickBooks' own total is more than ours; null when they agree or it is not known yet. */
  differenceCents: z.number().int().nullable(),
  /** Whether QuickBooks may have it already although it has not said so. */
  isUncertain: z.boolean(),
  problem: z.string().nullable(),
  attempts: z.number().int(),
  nextAttemptAt: z.date().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  completedAt: z.date().nullable(),
})

const counted = { count: z.number().int(), totalCents: z.number().int() }
/** Of all receipts that a list's filters leave. */
const receiptTotals = z.object({
  ...counted,
  subtotalCents: z.number().int(),
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  /** Of how many QuickBooks' own total is another than ours. */
  differing: z.number().int(),
  taxes: z.array(taxLine),
  /** What each account got, the day-end summary: the most first, and by which way of paying. */
  accounts: z.array(
    z.object({ id: z.string(), name: z.string(), ...counted, methods: z.array(z.object({ method: z.string().nullable(), ...counted })) }),
  ),
})
export type ReceiptTotals = z.output<typeof receiptTotals>

const created = z.object({
  Id: z.string(),
  DocNumber: z.string().nullable(),
  receiptId: z.uuid(),
  contactId: z.uuid().nullable(),
  /** See Receipt. */
  differenceCents: z.number().int().nullable(),
})

const email = requiredText(254, posMessages.emailRequired).pipe(z.email(posMessages.email))
const nameOrNot = (message: string) => requiredLine(100, message)
const searched = requiredText(100, posMessages.twoLetters).pipe(z.string().min(2, posMessages.twoLetters))

const tags = ['Point of sale']
const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

const noBooks = {
  RECONNECT: { status: 409, message: posMessages.reconnect },
  AWAY: { status: 503, message: 'QuickBooks does not answer. Please try again in a moment.' },
  REFUSED: { status: 422, message: 'QuickBooks refused this' },
} as const
const fields = z.object({ fields: z.record(z.string(), z.string()) })
const one = z.strictObject({ id: z.uuid() })
const noReceipt = { NOT_FOUND: { status: 404, message: 'This receipt does not exist' } } as const

const settling = {
  CANCELLED: { status: 409, message: 'This receipt was cancelled' },
  RECONNECT: { status: 409, message: posMessages.reconnect, data: z.object({ receiptId: z.uuid() }) },
  PENDING: { status: 503, message: posMessages.away, data: z.object({ receiptId: z.uuid(), isUncertain: z.boolean() }) },
  REFUSED: { status: 422, message: 'QuickBooks refused this', data: z.object({ receiptId: z.uuid() }) },
} as const

/** Spec 7's point-of-sale calls, at its paths and in its shapes, and those about receipts. */
export const posContract = {
  searchCustomers: get('/qbo/customers/pos-search', 'Customers by name or by e-mail, from 2 characters')
    .input(z.strictObject({ query: searched, type: z.enum(['name', 'email']).default('name') }))
    .output(z.object({ customers: z.array(customer), ...freshness })),
  createCustomer: post('/qbo/customers/create', 'Add a customer, and the patient who goes with it')
    .input(
      z.strictObject({
        firstName: nameOrNot(posMessages.newCustomer),
        lastName: nameOrNot(posMessages.newCustomer),
        email: requiredText(254, posMessages.newCustomer).pipe(z.email(posMessages.email)),
      }),
    )
    .errors(noBooks)
    .output(z.object({ Id: z.string(), name: z.string(), refyneContactId: z.uuid() })),
  updateCustomerEmail: post('/qbo/customers/update-email', 'Give a customer an e-mail, and find or make the patient who has it')
    .input(z.strictObject({ customerId: id('Choose a customer'), email }))
    .errors({ ...noBooks, NOT_FOUND: { status: 404, message: 'This customer does not exist' } })
    .output(z.object({ refyneContactId: z.uuid() })),
  customerOfContact: get('/pos/contacts/{contactId}/customer', 'The customer who is this patient, if there is one')
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ customer: customer.nullable() })),
  searchItems: get('/qbo/items/search', 'What can be sold, by name, from 2 characters')
    .input(z.strictObject({ query: searched }))
    .output(z.object({ items: z.array(item), ...freshness })),
  accounts: get('/qbo/references/accounts/filtered', 'The accounts that a payment can go to').output(
    z.object({ accounts: z.array(named), ...freshness }),
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
  pending: get('/pos/receipts/pending', 'Receipts that QuickBooks does not have yet, or has refused, oldest first').output(
    z.object({ count: z.number().int(), receipts: z.array(receipt).max(mostPending) }),
  ),
  receipts: get('/pos/receipts', 'Receipts, newest first; those in QuickBooks unless told otherwise')
    .input(receiptPage)
    .output(z.object({ data: z.array(receipt), nextCursor: z.string().nullable() })),
  receiptTotals: get('/pos/receipts/totals', 'What these receipts come to: by tax code, by deposit account and way of paying')
    .input(receiptFilters)
    .output(receiptTotals),
  receiptChoices: get('/pos/receipts/choices', 'What receipts can be filtered by: each value that any of them has').output(
    z.object({ methods: z.array(z.string()), accounts: z.array(named), classes: z.array(named), staff: z.array(person) }),
  ),
  receipt: get('/pos/receipts/{id}', 'One receipt').input(one).errors(noReceipt).output(receipt),
  retry: post('/pos/receipts/{id}/retry', 'Try now to record a pending receipt')
    .input(one)
    .errors({ ...noReceipt, ...settling })
    .output(created),
  cancel: post('/pos/receipts/{id}/cancel', 'Give up a receipt that QuickBooks certainly does not have')
    .input(one)
    .errors({
      ...noReceipt,
      NOT_PENDING: { status: 409, message: 'This receipt is not pending any more' },
      UNCERTAIN: { status: 409, message: 'QuickBooks may have this receipt already. It can be cancelled once QuickBooks has answered.' },
    })
    .output(receipt),
  findContacts: get('/refyne/contacts/search', 'Patients with this e-mail')
    .input(z.strictObject({ email }))
    .output(z.array(z.object({ id: z.uuid() }))),
  addContact: post('/refyne/contacts', 'Find or make the patient of a customer')
    .input(
      z.strictObject({
        first_name: nameOrNot('First name is required'),
        last_name: nameOrNot('Last name is required'),
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
        /** Not believed, nor the other two: the receipt has them. */
        sales_receipt_data: receiptPayload.partial().nullish(),
        payment_method: optionalText(100).optional(),
        deposit_account: optionalText(100).optional(),
      }),
    )
    .errors({
      NOT_FOUND: { status: 404, message: 'This patient does not exist' },
      NO_RECEIPT: { status: 422, message: 'There is no such receipt' },
    })
    .output(z.object({ id: z.uuid() })),
}
