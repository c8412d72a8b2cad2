import type { AccountPatient, ChargeData, DepositData } from '../account-data.ts'
import type { PaymentData } from '../account-labels.ts'

/** The action whose dialog is open on a patient's account. */
export type Action =
  | { do: 'charge' }
  | { do: 'days'; charge: ChargeData }
  | { do: 'apply'; charge: ChargeData }
  | { do: 'apply-all'; deposit: DepositData }
  | { do: 'unapply'; charge: ChargeData; payment: PaymentData }
  | { do: 'promise' }
  | { do: 'hold' }
  | { do: 'remind' }
  | { do: 'link'; patient: AccountPatient }
  | { do: 'write-off'; charge: ChargeData }
  | { do: 'void'; charge: ChargeData }

export type Do = (action: Action) => void
