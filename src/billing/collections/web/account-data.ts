import type { Client } from '../../../ui/client/api.ts'

/** A patient's ledger as the API returns it: instants are ISO strings. */
export type AccountData = Awaited<ReturnType<Client['collections']['account']>>
export type ChargeData = AccountData['charges'][number]
export type DepositData = AccountData['deposits'][number]
export type ReceivedData = AccountData['payments'][number]
export type OutstandingData = Awaited<ReturnType<Client['collections']['outstanding']>>['data'][number]

/** The patient that the account belongs to. */
export interface AccountPatient {
  id: string
  firstName: string
  lastName: string
}
