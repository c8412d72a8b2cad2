import type { Client } from '../../../ui/client/api.ts'

export type PayoutData = Awaited<ReturnType<Client['payouts']['list']>>['data'][number]
export type PayoutTransactionData = Awaited<ReturnType<Client['payouts']['transactions']>>['data'][number]
export type DifferenceData = PayoutData['differences'][number]
