import type { Client } from '../../../ui/client/api.ts'

export type PayoutData = Awaited<ReturnType<Client['payouts']['list']>>['data'][number]
export type PayoutLineData = Awaited<ReturnType<Client['payouts']['lines']>>['data'][number]
export type DifferenceData = PayoutData['differences'][number]
