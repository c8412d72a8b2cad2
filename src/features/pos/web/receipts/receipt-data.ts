import type { Client } from '../../../../web/api.ts'

/** A receipt as it arrives in the browser: instants are ISO strings. */
export type ReceiptData = Awaited<ReturnType<Client['pos']['receipt']>>
export type TotalsData = Awaited<ReturnType<Client['pos']['receiptTotals']>>
