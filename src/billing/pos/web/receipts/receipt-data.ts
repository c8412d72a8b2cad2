import type { Client } from '../../../../ui/client/api.ts'

/** One of a list. */
export type ReceiptData = Awaited<ReturnType<Client['pos']['receipts']>>['data'][number]
/** One with its refunds and what is left of it. */
export type ReceiptDetails = Awaited<ReturnType<Client['pos']['receipt']>>
export type TotalsData = Awaited<ReturnType<Client['pos']['receiptTotals']>>
