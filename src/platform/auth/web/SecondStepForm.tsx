import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { enterAs, usePractice } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { inlineLink } from './AuthFrame.tsx'
import { check, loadCalls, prepareCalls } from './load.ts'

interface SecondStepFormProps {
  /** Where someone goes who is in; to where they were, unless told otherwise. */
  onIn?: typeof enterAs
  /** The password has to be typed once more. */
  onOver: () => void
}

/** After the password: the code of an authenticator app, or a recovery code. */
export default function SecondStepForm({ onIn = enterAs, onOver }: SecondStepFormProps) {
  const { name } = usePractice()
  const [isLost, setLost] = useState(false)
  const form = useForm({
    defaultValues: { code: '' },
    resolver: check((checks) => (isLost ? checks.recovery : checks.authenticator)),
  })
  return (
    <Form
      form={form}
      onFocus={prepareCalls}
      onSubmit={async ({ code }) => {
        const { client, codeOf, messageOf } = await loadCalls()
        try {
          onIn(await client.auth.secondStep(isLost ? { recoveryCode: code } : { code }))
        } catch (error) {
          if (codeOf(error) === 'INVALID_CODE') return form.setError('code', { message: messageOf(error) }, { shouldFocus: true })
          toast.single('error', 'Error signing in', messageOf(error))
          if (['SIGN_IN_AGAIN', 'ACCOUNT_DISABLED'].includes(codeOf(error) ?? '')) onOver()
        }
      }}
      className="flex flex-col gap-4"
    >
      <p className="text-md text-fg-2">
        {isLost
          ? 'Enter one of the recovery codes that you kept. Each works once.'
          : `Enter the 6 digits that your authenticator app shows for ${name}.`}
      </p>
      <FormField key={String(isLost)} control={form.control} name="code" label={isLost ? 'Recovery code' : 'Code'}>
        {(field) => (
          <Input
            {...field}
            autoFocus
            autoComplete={isLost ? 'off' : 'one-time-code'}
            inputMode={isLost ? 'text' : 'numeric'}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </FormField>
      <Button type="submit" variant="filled" size="lg" block busy={form.formState.isSubmitting} busyLabel="Signing in..." className="mt-1">
        Sign In
      </Button>
      <div className="flex flex-wrap justify-between gap-3 text-sm">
        <button
          type="button"
          className={inlineLink}
          onClick={() => {
            form.reset()
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
