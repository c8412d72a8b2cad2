import { useRef, useState } from 'react'
import type { CodeTarget } from '../contract.ts'
import { problemOf, requestAccess } from './calls.ts'
import { Card, PortalButton, PortalField } from '../../ui/patient/parts.tsx'
import { useLanguage, useTexts } from '../../ui/patient/language.ts'
import { isEmail } from './labels.ts'
import { type PortalProblem, portalTexts } from './texts.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'

interface RequestStageProps {
  email: string
  onEmail: (email: string) => void
  /** Why the patient is back: the session ended or they signed out. */
  notice: { text: string; isError: boolean } | null
  /** Whether they came from another stage, so that the field gets the focus. */
  isBack: boolean
  /** What the code opens; null: the portal. */
  opens: CodeTarget | null
  onSent: (email: string) => void
}

export function RequestStage({ email, onEmail, notice, isBack, opens, onSent }: RequestStageProps) {
  const t = useTexts(portalTexts)
  const language = useLanguage()
  const [error, setError] = useState<PortalProblem | 'notice' | null>(notice?.isError ? 'notice' : null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useFocusOnArrival(field, isBack)

  async function send() {
    const address = email.trim()
    const invalid = address === '' ? 'emailRequired' : isEmail(address) ? null : 'emailInvalid'
    setError(invalid)
    if (invalid) return field.current?.focus()
    setBusy(true)
    try {
      await requestAccess(address, opens, language)
      onSent(address)
    } catch (refused) {
      setError(problemOf(refused))
      setBusy(false)
      field.current?.focus()
    }
  }

  return (
    <>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{t('intro')}</p>
      {notice && !notice.isError && (
        <p role="status" className="pt-3 text-portal font-medium">
          {notice.text}
        </p>
      )}
      <Card className="mt-6" aria-label={t('requestCode')}>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void send()
          }}
        >
          <PortalField
            ref={field}
            label={t('email')}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            value={email}
            onChange={({ target }) => onEmail(target.value)}
            error={error === 'notice' ? (notice?.text ?? null) : error && t(`problems.${error}`)}
          />
          <PortalButton type="submit" variant="filled" block busy={busy} busyLabel={t('requestingCode')}>
            {t('requestCode')}
          </PortalButton>
        </form>
      </Card>
    </>
  )
}
