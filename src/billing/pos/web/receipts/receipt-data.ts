import type { Client } from '../../../../ui/client/api.ts'

/** A receipt in a list. */
export type ReceiptData = Awaited<ReturnType<Client['pos']['receipts']>>['data'][number]
/** A receipt with its refunds and refundable amounts. */
export type ReceiptDetails = Awaited<ReturnType<Client['pos']['receipt']>>
export type TotalsData = Awaited<ReturnType<Client['pos']['receiptTotals']>>
