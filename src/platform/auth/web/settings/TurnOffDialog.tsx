import { client } from '../../../../ui/client/api.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { PasswordStep } from './PasswordStep.tsx'

export default function TurnOffDialog({ onClose }: { onClose: () => void }) {
  return (
    <PasswordStep
      title="Turn off two-factor authentication?"
      label="Turn off"
      busyLabel="Turning off…"
      danger
      onPassword={async (password) => {
        await client.account.turnOffTwoFactor({ password })
        toast.success('Two-factor authentication is off')
        onClose()
      }}
      onClose={onClose}
    >
      Anyone who knows your password can sign in. Your recovery codes will no longer work.
    </PasswordStep>
  )
}
