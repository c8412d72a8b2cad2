import { implement, ORPCError } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { posContract, posMessages } from './contract.ts'
import * as service from './service.ts'
import type { Settled } from './settle.ts'

const os = implement(posContract).$context<Context>()

type Failed = { kind: string; message: string }
type NoQuickBooks = { RECONNECT: () => Error; AWAY: () => Error; REFUSED: (said: { message: string }) => Error }

/** Why the books could not do it. */
function noQuickBooks(errors: NoQuickBooks, { kind, message }: Failed): Error {
  if (kind === 'reconnect') return errors.RECONNECT()
  return kind === 'refused' ? errors.REFUSED({ message }) : errors.AWAY()
}

type Unsettled = {
  RECONNECT: (said: { data: { receiptId: string } }) => Error
  PENDING: (said: { data: { receiptId: string; isUncertain: boolean } }) => Error
  CANCELLED: () => Error
  REFUSED: (said: { message: string; data: { receiptId: string } }) => Error
}

/** What a receipt has become, as the spec's call answers it; thrown when it is not complete. */
async function toResult(context: Context, { row, outcome }: Settled, errors: Unsettled) {
  const data = { receiptId: row.id }
  if (outcome === 'reconnect') throw errors.RECONNECT({ data })
  if (outcome === 'failed') throw errors.REFUSED({ message: row.problem ?? 'QuickBooks refused this', data })
  if (outcome === 'cancelled') throw errors.CANCELLED()
  if (outcome !== 'complete') throw errors.PENDING({ data: { ...data, isUncertain: row.isUncertain } })
  const difference = (row.qbTotalCents ?? row.totalCents) - row.totalCents
  return {
    Id: row.qbId!,
    DocNumber: row.docNumber,
    receiptId: row.id,
    contactId: await service.contactIdOf(context, row),
    differenceCents: difference === 0 ? null : difference,
  }
}

export const posRouter = os.router({
  searchCustomers: os.searchCustomers.handler(({ input, context }) => service.searchCustomers(context, input.query, input.type)),
  createCustomer: os.createCustomer.handler(async ({ input, context, errors }) => {
    const result = await service.createCustomer(context, input)
    if (!result) throw errors.NOT_FOUND()
    if ('failed' in result) throw noQuickBooks(errors, result.failed)
    return { Id: result.customer.Id, name: result.customer.DisplayName, refyneContactId: result.contactId }
  }),
  updateCustomerEmail: os.updateCustomerEmail.handler(async ({ input, context, errors }) => {
    const result = await service.updateCustomerEmail(context, input.customerId, input.email)
    if (!result) throw errors.NOT_FOUND()
    if ('failed' in result) throw noQuickBooks(errors, result.failed)
    return { refyneContactId: result.contactId }
  }),
  customerOfContact: os.customerOfContact.handler(async ({ input, context, errors }) => {
    const customer = await service.customerOfContact(context, input.contactId)
    if (customer === undefined) throw errors.NOT_FOUND()
    return { customer }
  }),
  searchItems: os.searchItems.handler(({ input, context }) => service.searchItems(context, input.query)),
  accounts: os.accounts.handler(({ context }) => service.depositAccounts(context)),
  taxCodes: os.taxCodes.handler(({ context }) => service.taxCodes(context)),
  classes: os.classes.handler(({ context }) => service.classes(context)),
  createReceipt: os.createReceipt.handler(async ({ input, context, errors }) => {
    const result = await service.createReceipt(context, input)
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('differs' in result) throw errors.TOTALS_DIFFER({ data: { fields: result.differs } })
    if ('refusal' in result) throw result.refusal === 'KEY_REUSED' ? errors.KEY_REUSED() : errors.NOT_CONNECTED()
    return toResult(context, result, errors)
  }),
  pending: os.pending.handler(({ context }) => service.pendingReceipts(context)),
  receipts: os.receipts.handler(({ input, context }) => service.listReceipts(context, input)),
  receiptTotals: os.receiptTotals.handler(({ input, context }) => service.totalsOfReceipts(context, input)),
  receiptChoices: os.receiptChoices.handler(({ context }) => service.receiptChoices(context)),
  receipt: os.receipt.handler(async ({ input, context, errors }) => {
    const row = await service.findReceipt(context, input.id)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
  refund: os.refund.handler(async ({ input, context, errors }) => {
    const result = await service.refund(context, input)
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('openCents' in result)
      throw errors.TOO_MUCH({ data: { openCents: result.openCents, fields: { amountCents: posMessages.tooMuch } } })
    if ('refusal' in result) {
      if (result.refusal === 'NOT_FOUND') throw errors.NOT_FOUND()
      if (result.refusal === 'NOT_REFUNDABLE') throw errors.NOT_REFUNDABLE()
      throw result.refusal === 'KEY_REUSED' ? errors.KEY_REUSED() : errors.NOT_CONNECTED()
    }
    return toResult(context, result, errors)
  }),
  receiptAddresses: os.receiptAddresses.handler(async ({ input, context, errors }) => {
    const addresses = await service.receiptAddresses(context, input.id)
    if (!addresses) throw errors.NOT_FOUND()
    return { addresses }
  }),
  emailReceipt: os.emailReceipt.handler(async ({ input, context, errors }) => {
    const sent = await service.emailReceipt(context, input)
    if ('email' in sent) return sent
    if (sent.refusal === 'STRANGER') throw errors.INVALID_REFERENCE({ data: { fields: { email: posMessages.stranger } } })
    throw errors[sent.refusal]()
  }),
  retry: os.retry.handler(async ({ input, context, errors }) => {
    const result = await service.retryReceipt(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'forbidden') throw new ORPCError('FORBIDDEN')
    return toResult(context, result, errors)
  }),
  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const result = await service.cancel(context, input.id)
    if (result === 'forbidden') throw new ORPCError('FORBIDDEN')
    if (result === 'uncertain') throw errors.UNCERTAIN()
    if (result === 'not-pending') throw errors.NOT_PENDING()
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
  findContacts: os.findContacts.handler(({ input, context }) => service.contactsWithEmail(context, input.email)),
  addContact: os.addContact.handler(({ input, context }) =>
    service.addContact(context, {
      firstName: input.first_name,
      lastName: input.last_name,
      email: input.email,
      customerId: input.qb_customer_id,
    }),
  ),
  logInteraction: os.logInteraction.handler(async ({ input, context, errors }) => {
    const result = await service.logInteraction(context, input.contact_id, input.qb_sales_receipt_id)
    if (result === 'no-contact') throw errors.NOT_FOUND()
    if (result === 'no-receipt') throw errors.NO_RECEIPT()
    return result
  }),
})
