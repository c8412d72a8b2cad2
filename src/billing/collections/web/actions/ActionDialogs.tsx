import type { AccountData } from '../account-data.ts'
import { HoldDialog, PromiseDialog } from './AgreementDialogs.tsx'
import { ChargeDialog, DaysDialog } from './ChargeDialog.tsx'
import type { Action } from './action.ts'
import { VoidDialog, WriteOffDialog } from './WriteOffDialogs.tsx'
import { PaymentLinkDialog } from './PaymentLinkDialog.tsx'
import { ReminderDialog } from './ReminderDialog.tsx'
import { ApplyAllDialog, ApplyDialog, UnapplyDialog } from './PaymentDialogs.tsx'

interface ActionDialogsProps {
  action: Action
  contactId: string
  account: AccountData
  onClose: () => void
}

/** The dialog of what is about to be done. */
export default function ActionDialogs({ action, ...props }: ActionDialogsProps) {
  switch (action.do) {
    case 'charge':
      return <ChargeDialog {...props} />
    case 'days':
      return <DaysDialog {...props} charge={action.charge} />
    case 'apply':
      return <ApplyDialog {...props} charge={action.charge} />
    case 'apply-all':
      return <ApplyAllDialog {...props} deposit={action.deposit} />
    case 'unapply':
      return <UnapplyDialog {...props} charge={action.charge} payment={action.payment} />
    case 'promise':
      return <PromiseDialog {...props} />
    case 'hold':
      return <HoldDialog {...props} />
    case 'remind':
      return <ReminderDialog {...props} />
    case 'link':
      return <PaymentLinkDialog patient={action.patient} balanceCents={props.account.balanceCents} onClose={props.onClose} />
    case 'write-off':
      return <WriteOffDialog {...props} charge={action.charge} />
    case 'void':
      return <VoidDialog {...props} charge={action.charge} />
  }
}
