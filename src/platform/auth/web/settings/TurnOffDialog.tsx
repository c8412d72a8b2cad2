import { client } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/toast.ts'
import { PasswordStep } from './PasswordStep.tsx'

export default function TurnOffDialog({ onClose }: { onClose: () => void }) {
  return (
    <PasswordStep
      title="Turn off two-factor authentication?"
      label="Turn off"
      busyLabel="Turning off..."
      danger
      onPassword={async (password) => {
        await client.account.turnOffTwoFactor({ password })
        toast.success('Two-factor authentication is off')
        onClose()
      }}
      onClose={onClose}
    >
      Your password alone lets you in then, and anyone who else knows it. The recovery codes work no more.
    </PasswordStep>
  )
}
