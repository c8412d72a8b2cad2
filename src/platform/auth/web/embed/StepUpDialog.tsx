import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { provenChannel } from '../link.ts'
import { PasskeyButton } from '../PasskeyButton.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { PasswordInput } from '../../../../ui/controls/PasswordInput.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { type ProofAction, proofActions } from '../../../../kernel/access/proof-policy.ts'
import { authenticatorCode } from '../../contract.ts'
import { passwordMessages } from '../../rules.ts'

/** Opens the provider in another tab, so that nothing on this page is lost. */
function ProveAtProvider({ name, onProven }: { name: string; onProven: () => void }) {
  const onMessage = useEffectEvent(onProven)
  useEffect(() => {
    const channel = new BroadcastChannel(provenChannel)
    channel.addEventListener('message', () => onMessage())
    return () => channel.close()
  }, [])
  async function start() {
    // Opened before the call: browsers allow it only while they handle the click.
    const tab = window.open('', '_blank')
    try {
      const { url } = await client.auth.beginSsoProof()
      if (tab) tab.location.href = url
    } catch (error) {
      tab?.close()
      toast.error('Not confirmed', messageOf(error))
    }
  }
  return (
    <Button block onClick={() => void start()}>
      Confirm with {name}
    </Button>
  )
}

/** Asks for the password or a code before a protected action. `onClose` receives whether it succeeded. */
export default function StepUpDialog({ action: asked, onClose }: { action: ProofAction; onClose: (isProven: boolean) => void }) {
  const { sso } = usePractice()
  const { data } = useQuery(orpc.account.twoFactor.queryOptions())
  // People who sign in elsewhere have no password here.
  const hasPassword = data?.hasPassword ?? true
  const hasField = hasPassword || data?.isOn === true
  const isCodeOnly = hasField && !hasPassword
  const form = useActionForm({
    initial: { proof: '', isCode: false },
    check: ({ proof, isCode }) => ({
      proof:
        isCode || isCodeOnly
          ? authenticatorCode.safeParse(proof).error?.issues[0]?.message
          : proof === ''
            ? passwordMessages.required
            : undefined,
    }),
    refusals: { INVALID_CREDENTIALS: 'proof', INVALID_CODE: 'proof' },
    send: ({ proof, isCode }) => client.auth.stepUp(isCode || isCodeOnly ? { code: authenticatorCode.parse(proof) } : { password: proof }),
    onDone: () => onClose(true),
  })
  const byCode = form.values.isCode || isCodeOnly

  return (
    <ActionDialog
      title={
        hasField ? `Enter your ${byCode ? 'code' : 'password'} to ${proofActions[asked]}` : `Confirm it’s you to ${proofActions[asked]}`
      }
      form={form}
      action={hasField ? { label: 'Confirm', busyLabel: 'Checking…' } : null}
      onClose={() => onClose(false)}
    >
      <p className="text-md text-fg-2">You won’t be asked again for five minutes.</p>
      {hasField && (
        <Field key={String(byCode)} label={byCode ? 'Code from your authenticator app' : 'Password'} error={form.problems.proof}>
          {byCode ? (
            <Input {...form.text('proof')} autoFocus autoComplete="one-time-code" inputMode="numeric" maxLength={20} />
          ) : (
            <PasswordInput {...form.text('proof')} autoComplete="current-password" />
          )}
        </Field>
      )}
      {!hasField && !data?.hasPasskey && !data?.isLinked && (
        <p className="text-md text-fg-2">
          Sign out and in again, and do this within five minutes. A passkey under Settings, Security saves you that.
        </p>
      )}
      {data?.hasPasskey && (
        <PasskeyButton
          label="Use a passkey"
          failed="Not confirmed"
          send={(calls, passkey) => calls.auth.stepUp({ passkey })}
          onDone={() => onClose(true)}
        />
      )}
      {data?.isLinked && sso && <ProveAtProvider name={sso.name} onProven={() => onClose(true)} />}
      {data?.isOn && hasPassword && (
        <button
          type="button"
          className="relative self-start rounded-xs text-sm font-medium text-accent-fg touch-target hover:underline"
          onClick={() => form.set({ proof: '', isCode: !byCode })}
        >
          {byCode ? 'Use the password' : 'Use a code from your authenticator app'}
        </button>
      )}
    </ActionDialog>
  )
}
