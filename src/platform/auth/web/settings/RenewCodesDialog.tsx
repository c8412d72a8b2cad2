import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { PasswordStep } from './PasswordStep.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export default function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <PasswordStep
      title="New recovery codes"
      label="Create new codes"
      busyLabel="Creating…"
      onPassword={async (password) => setCodes((await client.account.renewRecoveryCodes({ password })).recoveryCodes)}
      onClose={onClose}
    >
      You get ten new codes. Your current codes will no longer work.
    </PasswordStep>
  )
}
