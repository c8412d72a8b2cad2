import { Lock } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Skeleton } from '../../display/Skeleton.tsx'
import { useLanguage } from '../language.ts'
import { ErrorLine, PortalButton } from '../parts.tsx'
import { type CardForm as Form, type CardRequest, type Outcome, showCardForm } from './stripe-js.ts'
import { cardFailure, cardFormTexts } from './texts.ts'

interface CardFormProps {
  practice: string
  request: CardRequest
  /** On the button that charges or keeps the card. */
  action: string
  /** Of the button that goes back. */
  back: string
  /** Between the form and the buttons. */
  children?: ReactNode
  onBack: () => void
  /** Paid, or maybe paid: the server is asked. */
  onOver: (outcome: 'paid' | 'processing' | 'unknown') => void
}

/** Stripe's form for the card, and the button that charges it. */
export default function CardForm({ practice, request, action, back, children, onBack, onOver }: CardFormProps) {
  const language = useLanguage()
  const t = cardFormTexts[language]
  const frame = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [form, setForm] = useState<Form | 'failed' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const show = useEffectEvent(() => showCardForm(request, frame.current!, language))
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    let isGone = false
    let shown: Form | null = null
    show().then(
      (made) => {
        shown = made
        if (isGone) made.remove()
        else setForm(made)
      },
      () => {
        if (!isGone) setForm('failed')
      },
    )
    return () => {
      isGone = true
      shown?.remove()
    }
  }, [])

  async function pay({ pay: charge }: Form) {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const outcome: Outcome = await charge().catch(() => 'unknown' as const)
    setBusy(false)
    if (outcome === 'incomplete') return setProblem(t('incomplete'))
    if (typeof outcome === 'object') return setProblem(t(`failures.${cardFailure(outcome.failureCode)}`))
    onOver(outcome)
  }

  const isReady = form !== null && form !== 'failed'
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void pay(form)
      }}
    >
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {t('cardDetails')}
      </h2>
      {form === null && (
        <div role="status" aria-label={t('loadingForm')} className="flex flex-col gap-4">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </div>
      )}
      {/* A frame of another color scheme than its page is painted white, and Stripe's is light. */}
      {form === 'failed' ? <ErrorLine>{t('notLoaded')}</ErrorLine> : <div ref={frame} className="scheme-light" />}
      {problem && <ErrorLine>{problem}</ErrorLine>}
      {children}
      <div className="flex flex-col gap-3 md:flex-row">
        {form !== 'failed' && (
          <PortalButton type="submit" variant="filled" disabled={!isReady} busy={isBusy} busyLabel={t('paying')}>
            {action}
          </PortalButton>
        )}
        <PortalButton disabled={isBusy} onClick={onBack}>
          {back}
        </PortalButton>
      </div>
      <p className="flex gap-2.5 text-title leading-relaxed text-fg-2">
        <Lock aria-hidden="true" className="mt-1 size-4! flex-none" />
        {t('secure', { practice })}
      </p>
    </form>
  )
}
