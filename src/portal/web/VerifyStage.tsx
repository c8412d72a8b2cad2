import { useRef, useState } from 'react'
import { codeLength, maskedEmail } from '../rules.ts'
import { problemOf } from './calls.ts'
import { Card, PortalButton, PortalField } from '../../ui/patient/parts.tsx'
import { useTexts } from '../../ui/patient/language.ts'
import { codeDigits, countdownText } from './labels.ts'
import { type PortalProblem, portalTexts } from './texts.ts'
import { useCountdown } from './useCountdown.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'

interface VerifyStageProps<Session> {
  email: string
  /** When the code expires, in milliseconds since 1970. */
  until: number
  /** Exchanges the code for a session. */
  verify: (email: string, code: string) => Promise<Session>
  onVerified: (session: Session) => void
  onResend: () => void
}

export function VerifyStage<Session>({ email, until, verify, onVerified, onResend }: VerifyStageProps<Session>) {
  const t = useTexts(portalTexts)
  const [code, setCode] = useState('')
  const [error, setError] = useState<PortalProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const left = useCountdown(until)
  const field = useRef<HTMLInputElement>(null)
  useFocusOnArrival(field)
  const isComplete = code.length === codeLength

  async function submit() {
    setBusy(true)
    setError(null)
    try {
      onVerified(await verify(email, code))
    } catch (refused) {
      setError(problemOf(refused))
      setBusy(false)
      // Selects the typed code, so that typing replaces it.
      field.current?.select()
    }
  }

  return (
    <>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{t('codeIntro')}</p>
      <Card className="mt-6" aria-label={t('verify')}>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (isComplete && !busy) void submit()
          }}
        >
          <p className="text-title leading-relaxed break-words text-fg-2">
            {t('sentTo')} <strong className="font-semibold text-fg">{maskedEmail(email)}</strong>
          </p>
          <PortalField
            ref={field}
            label={t('code')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            // No maxLength: it would cut off '482 103' before the space is removed.
            onChange={({ target }) => setCode(codeDigits(target.value))}
            error={error && t(`problems.${error}`)}
            className="h-15 text-3xl tracking-[0.22em] tabular-nums"
          />
          <p role="timer" className="text-portal text-fg-2 tabular-nums">
            {t('codeExpires', { left: countdownText(left) })}
          </p>
          <div className="flex flex-col gap-3">
            <PortalButton type="submit" variant="filled" block disabled={!isComplete} busy={busy} busyLabel={t('verifying')}>
              {t('verify')}
            </PortalButton>
            <PortalButton block disabled={busy} onClick={onResend}>
              {t('resend')}
            </PortalButton>
          </div>
          {error && <p className="text-title leading-relaxed text-fg-2">{t('codeHint')}</p>}
          <p className="text-title leading-relaxed text-fg-2">
            {t('checkSpam')} {t('noCode')}
          </p>
        </form>
      </Card>
    </>
  )
}
