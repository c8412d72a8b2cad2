import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../../ui/client/api.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { PasswordInput } from '../../../../ui/controls/PasswordInput.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { type ProofAction, proofActions } from '../../../../kernel/access/proof-policy.ts'
import { authenticatorCode } from '../../contract.ts'
import { passwordMessages } from '../../rules.ts'

/** Asks for the password or a code before a protected action. `onClose` receives whether it succeeded. */
export default function StepUpDialog({ action: asked, onClose }: { action: ProofAction; onClose: (isProven: boolean) => void }) {
  const { data } = useQuery(orpc.account.twoFactor.queryOptions())
  const form = useActionForm({
    initial: { proof: '', byCode: false },
    check: ({ proof, byCode }) => ({
      proof: byCode ? authenticatorCode.safeParse(proof).error?.issues[0]?.message : proof === '' ? passwordMessages.required : undefined,
    }),
    refusals: { INVALID_CREDENTIALS: 'proof', INVALID_CODE: 'proof' },
    send: ({ proof, byCode }) => client.auth.stepUp(byCode ? { code: authenticatorCode.parse(proof) } : { password: proof }),
    onDone: () => onClose(true),
  })
  const { byCode } = form.values

  return (
    <ActionDialog
      title={`Enter your ${byCode ? 'code' : 'password'} to ${proofActions[asked]}`}
      form={form}
      action={{ label: 'Confirm', busyLabel: 'Checking…' }}
      onClose={() => onClose(false)}
    >
      <p className="text-md text-fg-2">You won’t be asked again for five minutes.</p>
      <Field key={String(byCode)} label={byCode ? 'Code from your authenticator app' : 'Password'} error={form.problems.proof}>
        {byCode ? (
          <Input {...form.text('proof')} autoFocus autoComplete="one-time-code" inputMode="numeric" maxLength={20} />
        ) : (
          <PasswordInput {...form.text('proof')} autoComplete="current-password" />
        )}
      </Field>
      {data?.isOn && (
        <button
          type="button"
          className="relative self-start rounded-xs text-sm font-medium text-accent-fg touch-target hover:underline"
          onClick={() => form.set({ proof: '', byCode: !byCode })}
        >
          {byCode ? 'Use the password' : 'Use a code from your authenticator app'}
        </button>
      )}
    </ActionDialog>
  )
}
