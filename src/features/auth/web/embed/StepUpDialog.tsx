import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../../web/api.ts'
import { DeedDialog } from '../../../../web/ui/DeedDialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { Input } from '../../../../web/ui/Input.tsx'
import { PasswordInput } from '../../../../web/ui/PasswordInput.tsx'
import { authenticatorCode } from '../../contract.ts'
import { passwordMessages } from '../../rules.ts'
import { useDeed } from '../settings/useDeed.ts'

/** Asks for the password, or a code, before a deed that needs it. `onClose`: whether it was right. */
export default function StepUpDialog({ onClose }: { onClose: (isProven: boolean) => void }) {
  const { data } = useQuery(orpc.account.twoFactor.queryOptions())
  const { deed, problems, refuse, run } = useDeed({ INVALID_CREDENTIALS: 'proof', INVALID_CODE: 'proof' })
  const [byCode, setByCode] = useState(false)
  const [typed, setTyped] = useState('')

  function submit() {
    const code = authenticatorCode.safeParse(typed)
    if (byCode && !code.success) return refuse({ proof: code.error.issues[0]?.message ?? '' })
    if (!byCode && typed === '') return refuse({ proof: passwordMessages.required })
    void run(async () => {
      await client.auth.stepUp(byCode ? { code: code.data } : { password: typed })
      onClose(true)
    })
  }

  return (
    <DeedDialog
      title="Confirm that it is you"
      deed={deed}
      problems={problems}
      label="Confirm"
      busyLabel="Checking..."
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <p className="text-md text-fg-2">What you are about to do needs it. You will not be asked again for five minutes.</p>
      <Field key={String(byCode)} label={byCode ? 'Code of your authenticator app' : 'Password'} error={problems.proof}>
        {byCode ? (
          <Input
            value={typed}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <PasswordInput value={typed} autoComplete="current-password" onChange={({ target }) => setTyped(target.value)} />
        )}
      </Field>
      {data?.isOn && (
        <button
          type="button"
          className="relative self-start rounded-xs text-sm font-medium text-accent-fg touch-target hover:underline"
          onClick={() => {
            setTyped('')
            setByCode(!byCode)
          }}
        >
          {byCode ? 'Use the password' : 'Use a code of your authenticator app'}
        </button>
      )}
    </DeedDialog>
  )
}
