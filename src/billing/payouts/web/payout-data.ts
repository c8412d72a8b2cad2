import type { Client } from '../../../ui/client/api.ts'

export type PayoutData = Awaited<ReturnType<Client['payouts']['list']>>['data'][number]
export type PayoutDetails = Awaited<ReturnType<Client['payouts']['get']>>
export type PayoutTransactionData = Awaited<ReturnType<Client['payouts']['transactions']>>['data'][number]
export type DifferenceData = PayoutDetails['differences'][number]
