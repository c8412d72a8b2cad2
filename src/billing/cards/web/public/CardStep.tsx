import { Lock } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatCents } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import type { Started } from './pay-calls.ts'
import { type CardForm, type Outcome, showCardForm } from './stripe-js.ts'
import { payFailure, payTexts } from './texts.ts'

interface CardStepProps {
  started: Started
  amountCents: number
  onBack: () => void
  /** Paid, or maybe paid: the server is asked. */
  onOver: (outcome: 'paid' | 'processing' | 'unknown') => void
}

/** Stripe's form for the card, and the button that charges it. */
export function CardStep({ started, amountCents, onBack, onOver }: CardStepProps) {
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = payTexts[language]
  const frame = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [form, setForm] = useState<CardForm | 'failed' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const show = useEffectEvent(() => showCardForm(started, frame.current!, language))
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    let isGone = false
    let shown: CardForm | null = null
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

  async function pay({ pay: charge }: CardForm) {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const outcome: Outcome = await charge().catch(() => 'unknown' as const)
    setBusy(false)
    if (outcome === 'incomplete') return setProblem(t('problems.incomplete'))
    if (typeof outcome === 'object') return setProblem(t(`failures.${payFailure(outcome.failureCode)}`))
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
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('cardDetails')}
      </h2>
      {form === null && (
        <div role="status" aria-label={t('loadingForm')} className="flex flex-col gap-4">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </div>
      )}
      {form === 'failed' ? <ErrorLine>{t('problems.form')}</ErrorLine> : <div ref={frame} />}
      {problem && <ErrorLine>{problem}</ErrorLine>}
      <div className="flex flex-col gap-3 md:flex-row">
        {form !== 'failed' && (
          <PortalButton type="submit" variant="filled" disabled={!isReady} busy={isBusy} busyLabel={t('paying')}>
            {t('pay', { amount: formatCents(amountCents, language) })}
          </PortalButton>
        )}
        <PortalButton disabled={isBusy} onClick={onBack}>
          {t('back')}
        </PortalButton>
      </div>
      <p className="flex gap-2.5 text-title leading-relaxed text-fg-2">
        <Lock aria-hidden="true" className="mt-1 size-4! flex-none" />
        {t('secure', { practice })}
      </p>
    </form>
  )
}
