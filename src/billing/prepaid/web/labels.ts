import type { Client } from '../../../ui/client/api.ts'

/** A gift card, package or credit as the API returns it: instants are ISO strings. */
export type BalanceData = Awaited<ReturnType<Client['prepaid']['ofContact']>>[number]

const names: Record<BalanceData['entries'][number]['kind'], string> = {
  issue: 'Added',
  use: 'Used',
  return: 'Returned by a refund',
  refund: 'Refunded',
  reversal: 'Put back: the receipt was not recorded',
}

/** 'Used, receipt 1042', 'Added, receipt 1043: Long wait'. */
export function describeEntry({ kind, docNumber, reason }: BalanceData['entries'][number]): string {
  const what = docNumber === null ? names[kind] : `${names[kind]}, receipt ${docNumber}`
  return reason === null ? what : `${what}: ${reason}`
}

/** '1 session', '6 sessions'. */
export const sessionsLabel = (count: number): string => (count === 1 ? '1 session' : `${count} sessions`)
