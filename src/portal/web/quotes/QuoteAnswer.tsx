import { useId, useRef, useState } from 'react'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { quoteLimits } from '../../../billing/quotes/quote-contract.ts'
import { isSessionOver, messageOf, Refusal, type QuoteData } from '../calls.ts'
import { ErrorLine, PortalButton, PortalField } from '../../../ui/patient/parts.tsx'

interface QuoteAnswerProps {
  quote: QuoteData
  onAccept: (name: string) => Promise<unknown>
  onDecline: (reason: string) => Promise<unknown>
  onStale: (message: string) => void
}

/** Accepts a quote with a typed name and a checkbox, or declines it with a reason. */
export function QuoteAnswer({ quote, onAccept, onDecline, onStale }: QuoteAnswerProps) {
  const [isDeclining, setDeclining] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function answer(call: () => Promise<unknown>) {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await call()
    } catch (refused) {
      if (isSessionOver(refused)) return
      setError(messageOf(refused))
      setBusy(false)
      if (refused instanceof Refusal) onStale(refused.message)
    }
  }

  return (
    <>
      {error && <ErrorLine className="pb-4">{error}</ErrorLine>}
      {isDeclining ? (
        <DeclineForm busy={busy} onSubmit={(reason) => answer(() => onDecline(reason))} onBack={() => setDeclining(false)} />
      ) : (
        <AcceptForm
          total={formatMoney(quote.totalCents)}
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
  const [name, setName] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [hasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const nameError = hasSubmitted && name.trim() === '' ? 'Please type your full name' : null
  const boxError = hasSubmitted && !agreed ? 'Please tick the box to accept' : null

  function submit() {
    setSubmitted(true)
    if (name.trim() === '') return field.current?.focus()
    if (!agreed) return box.current?.focus()
    void onSubmit(name.trim())
  }

  return (
    <form
      noValidate
      aria-label="Accept the quote"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PortalField
        ref={field}
        label="Your full name, as a signature"
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
          <span>I have read this quote and accept it for {total}.</span>
        </label>
      </div>
      <div className="flex flex-wrap gap-3">
        <PortalButton type="submit" variant="filled" busy={busy} busyLabel="Accepting…" className="max-md:w-full">
          Accept quote
        </PortalButton>
        <PortalButton disabled={busy} onClick={onDecline} className="max-md:w-full">
          Decline…
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
  const [reason, setReason] = useState('')
  const [hasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      noValidate
      aria-label="Decline the quote"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (reason.trim() === '') field.current?.focus()
        else void onSubmit(reason.trim())
      }}
    >
      <PortalField
        ref={field}
        label="Reason for declining"
        autoFocus
        maxLength={quoteLimits.reason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={hasSubmitted && reason.trim() === '' ? 'Please tell us why in a few words' : null}
      />
      <div className="flex flex-wrap gap-3">
        <PortalButton type="submit" variant="filled" busy={busy} busyLabel="Declining…" className="max-md:w-full">
          Decline quote
        </PortalButton>
        <PortalButton disabled={busy} onClick={onBack} className="max-md:w-full">
          Back
        </PortalButton>
      </div>
    </form>
  )
}
