import type { AccountData } from '../account-data.ts'
import { HoldDialog, PromiseDialog } from './AgreementDialogs.tsx'
import { ChargeDialog, DaysDialog } from './ChargeDialog.tsx'
import type { Deed } from './deed.ts'
import { VoidDialog, WriteOffDialog } from './GiveUpDialogs.tsx'
import { ReminderDialog } from './ReminderDialog.tsx'
import { ApplyAllDialog, ApplyDialog, TakeOffDialog } from './PaymentDialogs.tsx'

interface DeedLayerProps {
  deed: Deed
  contactId: string
  account: AccountData
  onClose: () => void
}

/** The dialog of what is about to be done. */
export default function DeedLayer({ deed, ...props }: DeedLayerProps) {
  switch (deed.do) {
    case 'charge':
      return <ChargeDialog {...props} />
    case 'days':
      return <DaysDialog {...props} charge={deed.charge} />
    case 'apply':
      return <ApplyDialog {...props} charge={deed.charge} />
    case 'apply-all':
      return <ApplyAllDialog {...props} deposit={deed.deposit} />
    case 'take-off':
      return <TakeOffDialog {...props} charge={deed.charge} payment={deed.payment} />
    case 'promise':
      return <PromiseDialog {...props} />
    case 'hold':
      return <HoldDialog {...props} />
    case 'remind':
      return <ReminderDialog {...props} />
    case 'write-off':
      return <WriteOffDialog {...props} charge={deed.charge} />
    case 'void':
      return <VoidDialog {...props} charge={deed.charge} />
  }
}
