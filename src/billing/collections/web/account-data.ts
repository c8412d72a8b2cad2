import type { Client } from '../../../ui/client/api.ts'

/** A patient's ledger as it arrives in the browser: instants are ISO strings. */
export type AccountData = Awaited<ReturnType<Client['collections']['account']>>
export type ChargeData = AccountData['charges'][number]
export type DepositData = AccountData['deposits'][number]
export type ReceivedData = AccountData['payments'][number]
export type OutstandingData = Awaited<ReturnType<Client['collections']['owing']>>['data'][number]

/** Whose account it is. */
export interface AccountPatient {
  id: string
  firstName: string
  lastName: string
}
