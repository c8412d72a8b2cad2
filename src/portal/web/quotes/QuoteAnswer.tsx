import { useId, useRef, useState } from 'react'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { formatCents } from '../../../shared/translations.ts'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { quoteLimits } from '../../../billing/quotes/quote-contract.ts'
import { codeOf, isSessionOver, type QuoteData } from '../calls.ts'
import { charactersOver, ErrorLine, PortalButton, PortalField, PortalTextArea } from '../../../ui/patient/parts.tsx'
import { portalQuoteTexts, type QuoteProblem, quoteProblem } from './texts.ts'

interface QuoteAnswerProps {
  quote: QuoteData
  onAccept: (name: string) => Promise<unknown>
  onDecline: (reason: string) => Promise<unknown>
  onStale: (problem: QuoteProblem) => void
}

/** Accepts a quote with a typed name and a checkbox, or declines it with a reason. */
export function QuoteAnswer({ quote, onAccept, onDecline, onStale }: QuoteAnswerProps) {
  const language = useLanguage()
  const t = portalQuoteTexts[language]
  const [isDeclining, setDeclining] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<QuoteProblem | null>(null)

  async function answer(call: () => Promise<unknown>) {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await call()
    } catch (refused) {
      if (isSessionOver(refused)) return
      const code = codeOf(refused)
      setError(quoteProblem(code))
      setBusy(false)
      if (code !== null) onStale(quoteProblem(code))
    }
  }

  return (
    <>
      {error && <ErrorLine className="pb-4">{t(`problems.${error}`)}</ErrorLine>}
      {isDeclining ? (
        <DeclineForm busy={busy} onSubmit={(reason) => answer(() => onDecline(reason))} onBack={() => setDeclining(false)} />
      ) : (
        <AcceptForm
          total={formatCents(quote.totalCents, language)}
          busy={busy}
          onSubmit={(name) => answer(() => onAccept(name))}
          onDecline={() => setDeclining(true)}
        />
      )}
    </>
  )
}

interface AcceptFormProps {
  total: string
  busy: boolean
  onSubmit: (name: string) => Promise<void>
  onDecline: () => void
}

function AcceptForm({ total, busy, onSubmit, onDecline }: AcceptFormProps) {
  const t = useTexts(portalQuoteTexts)
  const [name, setName] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [hasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const nameError = hasSubmitted && name.trim() === '' ? t('problems.name') : null
  const boxError = hasSubmitted && !agreed ? t('problems.agree') : null

  function submit() {
    setSubmitted(true)
    if (name.trim() === '') return field.current?.focus()
    if (!agreed) return box.current?.focus()
    void onSubmit(name.trim())
  }

  return (
    <form
      noValidate
      aria-label={t('acceptForm')}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PortalField
        ref={field}
        label={t('fullName')}
        name="name"
        autoComplete="name"
        maxLength={quoteLimits.name}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={nameError}
      />
      <div>
        {boxError && <ErrorLine className="pb-2">{boxError}</ErrorLine>}
        <label htmlFor={id} className="flex min-h-12 items-center gap-3">
          <Checkbox ref={box} id={id} large checked={agreed} onCheckedChange={(checked) => setAgreed(checked)} />
          <span>{t('agree', { total })}</span>
        </label>
      </div>
      <div className="flex flex-wrap gap-3">
        <PortalButton type="submit" variant="filled" busy={busy} busyLabel={t('accepting')} className="max-md:w-full">
          {t('accept')}
        </PortalButton>
        <PortalButton disabled={busy} onClick={onDecline} className="max-md:w-full">
          {t('declineOpen')}
        </PortalButton>
      </div>
    </form>
  )
}

interface DeclineFormProps {
  busy: boolean
  onSubmit: (reason: string) => Promise<void>
  onBack: () => void
}

function DeclineForm({ busy, onSubmit, onBack }: DeclineFormProps) {
  const t = useTexts(portalQuoteTexts)
  const [reason, setReason] = useState('')
  const [hasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <form
      noValidate
      aria-label={t('declineForm')}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (reason.trim() === '' || charactersOver(reason, quoteLimits.reason) > 0) field.current?.focus()
        else void onSubmit(reason.trim())
      }}
    >
      <PortalTextArea
        ref={field}
        label={t('reason')}
        autoFocus
        rows={3}
        limit={quoteLimits.reason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={hasSubmitted && reason.trim() === '' ? t('problems.reason') : null}
      />
      <div className="flex flex-wrap gap-3">
        <PortalButton type="submit" variant="filled" busy={busy} busyLabel={t('declining')} className="max-md:w-full">
          {t('decline')}
        </PortalButton>
        <PortalButton disabled={busy} onClick={onBack} className="max-md:w-full">
          {t('back')}
        </PortalButton>
      </div>
    </form>
  )
}
