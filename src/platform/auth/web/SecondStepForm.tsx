import { useState } from 'react'
import { codeOf } from '../../../ui/client/refusal.ts'
import { enterAs, usePractice } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { inlineLink } from './AuthFrame.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { prepareCalls, useAuthForm } from './load.ts'

interface SecondStepFormProps {
  /** Where to go after signing in; defaults to the previous page. */
  onIn?: typeof enterAs
  /** The password must be entered again. */
  onOver: () => void
}

/** Second step of signing in: an authenticator code, a recovery code or a passkey. */
export default function SecondStepForm({ onIn = enterAs, onOver }: SecondStepFormProps) {
  const { name } = usePractice()
  const [isLost, setLost] = useState(false)
  const form = useAuthForm({
    initial: { code: '' },
    check: (checks) => (isLost ? checks.recovery : checks.authenticator),
    send: (client, { code }) => client.auth.secondStep(isLost ? { recoveryCode: code } : { code }),
    onDone: onIn,
    refusals: { INVALID_CODE: 'code' },
    onRefused(error) {
      if (['SIGN_IN_AGAIN', 'ACCOUNT_DISABLED'].includes(codeOf(error) ?? '')) onOver()
    },
    failed: 'Error signing in',
  })
  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      <p className="text-md text-fg-2">
        {isLost
          ? 'Enter one of your recovery codes. Each works once.'
          : `Enter the 6 digits that your authenticator app shows for ${name}.`}
      </p>
      <Field key={String(isLost)} label={isLost ? 'Recovery code' : 'Code'} error={form.problems.code}>
        <Input
          {...form.text('code')}
          autoFocus
          autoComplete={isLost ? 'off' : 'one-time-code'}
          inputMode={isLost ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Signing in…" className="mt-1">
        Sign In
      </Button>
      <PasskeyButton
        label="Use a passkey"
        failed="Error signing in"
        send={(client, passkey) => client.auth.secondStep({ passkey })}
        onDone={onIn}
      />
      <div className="flex flex-wrap justify-between gap-3 text-sm">
        <button
          type="button"
          className={inlineLink}
          onClick={() => {
            form.reset({ code: '' })
            setLost(!isLost)
          }}
        >
          {isLost ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" className={inlineLink} onClick={onOver}>
          Back
        </button>
      </div>
    </Form>
  )
}
