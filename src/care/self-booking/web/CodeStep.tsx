import { type ReactNode, useEffect, useId, useState } from 'react'
import { useLanguage } from '../../../ui/patient/language.ts'
import { PortalButton, PortalField } from '../../../ui/patient/parts.tsx'
import { bookingLimits } from '../rules.ts'
import { bookingTexts } from './texts.ts'

interface CodeStepProps {
  email: string
  isBusy: boolean
  error: ReactNode
  onBack: () => void
  onCheck: (code: string) => void
  /** Whether another code was sent. */
  resend: () => Promise<boolean>
}

/** The code from the email, which proves the address and holds the time. */
export function CodeStep({ email, isBusy, error, onBack, onCheck, resend }: CodeStepProps) {
  const t = bookingTexts[useLanguage()]
  const [code, setCode] = useState('')
  const [isResent, setResent] = useState(false)
  const isComplete = code.length === bookingLimits.codeLength
  const field = useId()
  useEffect(() => document.getElementById(field)?.focus(), [field])
  const isWrong = !isBusy && Boolean(error)
  // Typing replaces a wrong code.
  useEffect(() => {
    const input = document.getElementById(field)
    if (isWrong && input instanceof HTMLInputElement) input.select()
  }, [field, isWrong])
  return (
    <form
      noValidate
      className="flex max-w-120 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) onCheck(code)
      }}
    >
      <p className="wrap-anywhere">{t('codeSent', { email })}</p>
      {error}
      <PortalField
        id={field}
        label={t('code')}
        error={null}
        aria-invalid={isWrong || undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        className="max-w-60 text-2xl tracking-[0.2em] tabular-nums"
        value={code}
        onChange={({ currentTarget: { value } }) => {
          const typed = value.replace(/\D/g, '').slice(0, bookingLimits.codeLength)
          setCode(typed)
          // With the last digit, as phones fill it in.
          if (typed !== code && typed.length === bookingLimits.codeLength) onCheck(typed)
        }}
      />
      <div className="flex flex-wrap gap-3">
        <PortalButton
          type="submit"
          variant="filled"
          className="max-md:w-full"
          disabled={!isComplete}
          busy={isBusy}
          busyLabel={t('checking')}
        >
          {t('check')}
        </PortalButton>
        <PortalButton className="max-md:w-full" onClick={onBack}>
          {t('back')}
        </PortalButton>
      </div>
      <div>
        <PortalButton variant="quiet" className="-ml-5" onClick={() => void resend().then(setResent)}>
          {t('resend')}
        </PortalButton>
        <p role="status" className="text-title text-fg-2">
          {isResent && t('resent')}
        </p>
      </div>
    </form>
  )
}
