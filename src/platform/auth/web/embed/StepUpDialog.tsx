import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { ActionDialog, type Problems } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { PasswordInput } from '../../../../ui/PasswordInput.tsx'
import { useAction } from '../../../../ui/useAction.ts'
import { type ProofAction, proofActions } from '../../../../kernel/access/policy.ts'
import { authenticatorCode } from '../../contract.ts'
import { passwordMessages } from '../../rules.ts'

/** Asks for the password, or a code, before an action that needs it. `onClose`: whether it was right. */
export default function StepUpDialog({ action: asked, onClose }: { action: ProofAction; onClose: (isProven: boolean) => void }) {
  const { data } = useQuery(orpc.account.twoFactor.queryOptions())
  const action = useAction({ onDone: () => onClose(true) })
  const [byCode, setByCode] = useState(false)
  const [typed, setTyped] = useState('')

  const code = authenticatorCode.safeParse(typed)
  const problem = byCode ? code.error?.issues[0]?.message : typed === '' ? passwordMessages.required : undefined
  const wrong: Problems = problem === undefined ? {} : { proof: problem }
  const problems = action.problems(wrong)

  function submit() {
    const fields = { INVALID_CREDENTIALS: 'proof', INVALID_CODE: 'proof' }
    void action.send({ wrong, fields, call: () => client.auth.stepUp(byCode ? { code: code.data } : { password: typed }) })
  }

  return (
    <ActionDialog
      title={`Enter your ${byCode ? 'code' : 'password'} to ${proofActions[asked]}`}
      action={action}
      problems={problems}
      label="Confirm"
      busyLabel="Checking..."
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <p className="text-md text-fg-2">You won’t be asked again for five minutes.</p>
      <Field key={String(byCode)} label={byCode ? 'Code of your authenticator app' : 'Password'} error={problems.proof}>
        {byCode ? (
          <Input
            value={typed}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            onChange={({ target }) => action.typed(setTyped)(target.value)}
          />
        ) : (
          <PasswordInput value={typed} autoComplete="current-password" onChange={({ target }) => action.typed(setTyped)(target.value)} />
        )}
      </Field>
      {data?.isOn && (
        <button
          type="button"
          className="relative self-start rounded-xs text-sm font-medium text-accent-fg touch-target hover:underline"
          onClick={() => {
            action.typed(setTyped)('')
            setByCode(!byCode)
          }}
        >
          {byCode ? 'Use the password' : 'Use a code of your authenticator app'}
        </button>
      )}
    </ActionDialog>
  )
}
