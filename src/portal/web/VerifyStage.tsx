import { useRef, useState } from 'react'
import { codeLength, maskedEmail } from '../rules.ts'
import { messageOf, type PatientSession, verifyAccess } from './calls.ts'
import { Card, PortalButton, PortalField } from '../../ui/patient/parts.tsx'
import { codeDigits, countdownText } from './labels.ts'
import { useCountdown } from './useCountdown.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'

interface VerifyStageProps {
  email: string
  /** When the code expires, in milliseconds since 1970. */
  until: number
  onVerified: (session: PatientSession) => void
  onResend: () => void
}

export function VerifyStage({ email, until, onVerified, onResend }: VerifyStageProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const left = useCountdown(until)
  const field = useRef<HTMLInputElement>(null)
  useFocusOnArrival(field)
  const isComplete = code.length === codeLength

  async function verify() {
    setBusy(true)
    setError(null)
    try {
      onVerified(await verifyAccess(email, code))
    } catch (refused) {
      setError(messageOf(refused))
      setBusy(false)
      // Selects the typed code, so that typing replaces it.
      field.current?.select()
    }
  }

  return (
    <>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">Enter the 6-digit code sent to your email address.</p>
      <Card className="mt-6" aria-label="Verify">
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (isComplete && !busy) void verify()
          }}
        >
          <p className="text-title leading-relaxed break-words text-fg-2">
            Sent to <strong className="font-semibold text-fg">{maskedEmail(email)}</strong>
          </p>
          <PortalField
            ref={field}
            label="Verification code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            // No maxLength: it would cut off '482 103' before the space is removed.
            onChange={({ target }) => setCode(codeDigits(target.value))}
            error={error}
            className="h-15 text-3xl tracking-[0.22em] tabular-nums"
          />
          <p role="timer" className="text-portal text-fg-2 tabular-nums">
            Code expires in: {countdownText(left)}
          </p>
          <div className="flex flex-col gap-3">
            <PortalButton type="submit" variant="filled" block disabled={!isComplete} busy={busy} busyLabel="Verifying...">
              Verify
            </PortalButton>
            <PortalButton block disabled={busy} onClick={onResend}>
              Resend Code
            </PortalButton>
          </div>
          <p className="text-title leading-relaxed text-fg-2">Didn&apos;t receive it? Check your spam folder or try resending.</p>
          <p className="text-title leading-relaxed text-fg-2">No code? Call us; we may have a different email on file.</p>
          {error && (
            <p className="text-title leading-relaxed text-fg-2">
              A code stops working after 5 wrong attempts or when a newer one is sent. If yours looks right, request a new one.
            </p>
          )}
        </form>
      </Card>
    </>
  )
}
