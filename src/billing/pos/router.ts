import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { posContract } from './contract.ts'
import * as service from './service.ts'
import type { ReceiptRow } from './settle.ts'

const os = implement(posContract).$context<Context>()

/** A complete receipt in the shape of the spec's response. */
async function toResult(context: Context, row: ReceiptRow) {
  const moneyCents = row.totalCents - row.prepaidCents
  const difference = (row.qbTotalCents ?? moneyCents) - moneyCents
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
    const { customer, contactId } = unwrap(await service.createCustomer(context, input), errors)
    return { Id: customer.Id, name: customer.DisplayName, refyneContactId: contactId }
  }),
  updateCustomerEmail: os.updateCustomerEmail.handler(async ({ input, context, errors }) => {
    const { contactId } = unwrap(await service.updateCustomerEmail(context, input.customerId, input.email), errors)
    return { refyneContactId: contactId }
  }),
  customerOfContact: os.customerOfContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.customerOfContact(context, input.contactId), errors),
  ),
  searchItems: os.searchItems.handler(({ input, context }) => service.searchItems(context, input.query)),
  accounts: os.accounts.handler(({ context }) => service.depositAccounts(context)),
  taxCodes: os.taxCodes.handler(({ context }) => service.taxCodes(context)),
  classes: os.classes.handler(({ context }) => service.classes(context)),
  createReceipt: os.createReceipt.handler(async ({ input, context, errors }) =>
    toResult(context, unwrap(await service.createReceipt(context, input), errors)),
  ),
  pending: os.pending.handler(({ input, context }) => service.pendingReceipts(context, input)),
  receipts: os.receipts.handler(({ input, context }) => service.listReceipts(context, input)),
  receiptTotals: os.receiptTotals.handler(({ input, context }) => service.totalsOfReceipts(context, input)),
  receiptChoices: os.receiptChoices.handler(({ context }) => service.receiptChoices(context)),
  receipt: os.receipt.handler(async ({ input, context, errors }) => unwrap(await service.findReceipt(context, input.id), errors)),
  soldGiftCards: os.soldGiftCards.handler(async ({ input, context, errors }) => ({
    giftCards: unwrap(await service.soldGiftCards(context, input.id), errors),
  })),
  refund: os.refund.handler(async ({ input, context, errors }) => toResult(context, unwrap(await service.refund(context, input), errors))),
  receiptAddresses: os.receiptAddresses.handler(async ({ input, context, errors }) => ({
    addresses: unwrap(await service.receiptAddresses(context, input.id), errors),
  })),
  emailReceipt: os.emailReceipt.handler(async ({ input, context, errors }) => unwrap(await service.emailReceipt(context, input), errors)),
  retry: os.retry.handler(async ({ input, context, errors }) =>
    toResult(context, unwrap(await service.retryReceipt(context, input.id), errors)),
  ),
  cancel: os.cancel.handler(async ({ input, context, errors }) => unwrap(await service.cancel(context, input.id), errors)),
  findContacts: os.findContacts.handler(({ input, context }) => service.contactsWithEmail(context, input.email)),
  addContact: os.addContact.handler(({ input, context }) =>
    service.addContact(context, {
      firstName: input.first_name,
      lastName: input.last_name,
      email: input.email,
      customerId: input.qb_customer_id,
    }),
  ),
  logInteraction: os.logInteraction.handler(async ({ input, context, errors }) =>
    unwrap(await service.logInteraction(context, input.contact_id, input.qb_sales_receipt_id), errors),
  ),
})
