import { ArrowLeft, CircleCheck } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { formatCents } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { preferLanguage, useLanguage } from '../../../../ui/patient/language.ts'
import CardForm from '../../../../ui/patient/card/CardForm.tsx'
import type { CardRequest } from '../../../../ui/patient/card/stripe-js.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import type { PayLinkView } from '../../contract.ts'
import { AmountStep } from './AmountStep.tsx'
import { checkPayment, loadPayment, type PayProblem, startPayment, stopAutomatic } from './pay-calls.ts'
import { payTexts } from './texts.ts'

type Stage =
  | { name: 'loading' | 'unknown' }
  | { name: 'failed'; problem: PayProblem }
  | { name: 'amount'; view: PayLinkView }
  | { name: 'card'; view: PayLinkView; started: CardRequest; amountCents: number }
  | { name: 'over'; outcome: 'paid' | 'processing' | 'unknown'; amountCents: number; /** Null: not known. */ leftCents: number | null }

/** The page behind a payment link. Opening it changes nothing. It is the only page on which Stripe's script may run. */
export default function PayPage() {
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = payTexts[language]
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isFromPortal, setFromPortal] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PayProblem | null>(null)
  const [stopProblem, setStopProblem] = useState<PayProblem | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  /** One key for each choice, so that a repeated click continues the same payment. */
  const keys = useRef(new Map<string, string>())

  async function load() {
    const reply = await loadPayment()
    if (reply.name === 'known') {
      preferLanguage(reply.value.language)
      setFromPortal(reply.value.isFromPortal)
    }
    setStage(reply.name === 'known' ? { name: 'amount', view: reply.value } : reply)
  }
  useEffect(() => void load(), [])

  async function start(view: PayLinkView, choice: { amountCents: number; savesCard: boolean; isAutomatic: boolean }) {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const named = `${choice.amountCents} ${choice.savesCard} ${choice.isAutomatic} ${language}`
    const idempotencyKey = keys.current.get(named) ?? crypto.randomUUID()
    keys.current.set(named, idempotencyKey)
    const reply = await startPayment({ ...choice, language, idempotencyKey })
    setBusy(false)
    if (reply.name === 'known') {
      // Stripe's script runs on the page from here on. What staff call a charge may name a procedure.
      const lines = view.lines.map((line) => ({ ...line, description: null }))
      return setStage({ name: 'card', view: { ...view, lines }, started: reply.value, amountCents: choice.amountCents })
    }
    if (reply.name === 'unknown') return setStage(reply)
    setProblem(reply.problem)
  }

  async function stop() {
    setBusy(true)
    setStopProblem(null)
    const reply = await stopAutomatic()
    setBusy(false)
    if (reply.name === 'known') return setStage({ name: 'amount', view: reply.value })
    if (reply.name === 'unknown') return setStage(reply)
    setStopProblem(reply.problem)
  }

  /** Asks the server, which asks Stripe: the page alone does not know after a broken connection. */
  async function settle(outcome: 'paid' | 'processing' | 'unknown', amountCents: number) {
    setBusy(true)
    const reply = await checkPayment()
    setBusy(false)
    const last = reply.name === 'known' ? reply.value.last : null
    if (last?.status === 'open' && outcome === 'unknown' && reply.name === 'known') {
      setProblem('unexpected')
      return setStage({ name: 'amount', view: reply.value })
    }
    const after = last?.status === 'paid' ? 'paid' : last?.status === 'processing' ? 'processing' : outcome
    setStage({ name: 'over', outcome: after, amountCents, leftCents: reply.name === 'known' ? reply.value.openCents : null })
    title.current?.focus()
  }

  const view = stage.name === 'amount' || stage.name === 'card' ? stage.view : null
  const isPaid = stage.name === 'over' && stage.outcome === 'paid'
  const heading = t(isPaid ? 'paidTitle' : 'title')
  return (
    <PortalFrame title={heading} announcement={isPaid ? heading : ''} narrow>
      {isFromPortal && stage.name !== 'over' && (
        <p className="pb-4">
          <a href={portalPath} onClick={leave} className="inline-flex min-h-12 items-center gap-2 text-portal text-fg-2 hover:text-fg">
            <ArrowLeft aria-hidden="true" className="size-4.5!" />
            {t('backToPortal')}
          </a>
        </p>
      )}
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      {view && (
        <p className="pt-1.5 text-portal text-fg-2">
          {view.kind === 'quote' && view.quoteNumber !== null
            ? t('quote', { name: view.firstName, number: view.quoteNumber, practice })
            : t('balance', { name: view.firstName, practice })}
        </p>
      )}
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label={frameTexts[language]('loading')} className="flex min-h-40 flex-col gap-4">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        )}
        {stage.name === 'unknown' && (
          <>
            <p>{t('unknown', { practice })}</p>
            <PortalButton asChild>
              <a href={portalPath}>{t('openPortal')}</a>
            </PortalButton>
          </>
        )}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>{t(`problems.${stage.problem}`)}</ErrorLine>
            <PortalButton onClick={() => void load()}>{frameTexts[language]('tryAgain')}</PortalButton>
          </>
        )}
        {stage.name === 'amount' && stage.view.isAutomatic && (
          <Automatic isBusy={isBusy} onStop={() => void stop()} problem={stopProblem && t(`problems.${stopProblem}`)} />
        )}
        {stage.name === 'amount' &&
          (stage.view.openCents === 0 ? (
            <p>{stage.view.last?.status === 'processing' ? t('processing') : t('nothing')}</p>
          ) : (
            <AmountStep
              view={stage.view}
              isBusy={isBusy}
              problem={problem && t(`problems.${problem}`)}
              onContinue={(choice) => void start(stage.view, choice)}
            />
          ))}
        {stage.name === 'card' && (
          <p className="flex items-baseline justify-between gap-4 border-b border-line pb-5 text-portal">
            <span>{t('toPay')}</span>
            <span className="text-2xl font-semibold tabular-nums">{formatCents(stage.amountCents, language)}</span>
          </p>
        )}
        {stage.name === 'card' && (
          <CardForm
            practice={practice}
            request={stage.started}
            action={t('pay', { amount: formatCents(stage.amountCents, language) })}
            back={t('back')}
            // The names of charges are gone from a page that has loaded Stripe's script, and are shown by a new one.
            onBack={() => (isFromPortal ? location.reload() : setStage({ name: 'amount', view: stage.view }))}
            onOver={(outcome) => void settle(outcome, stage.amountCents)}
          />
        )}
        {stage.name === 'over' && (
          <Over stage={stage} isBusy={isBusy} isFromPortal={isFromPortal} onCheck={() => void settle('unknown', stage.amountCents)} />
        )}
      </Card>
    </PortalFrame>
  )
}

const portalPath = '/portal'

/** Closes this tab: the portal is still open behind it. Where the browser does not allow that, the portal opens here. */
function leave(event: MouseEvent) {
  event.preventDefault()
  window.close()
  setTimeout(() => location.assign(portalPath), 300)
}

/** Says that instalments are charged automatically, and stops that. */
function Automatic({ isBusy, problem, onStop }: { isBusy: boolean; problem: string | null; onStop: () => void }) {
  const t = payTexts[useLanguage()]
  return (
    <div className="flex flex-col items-start gap-3 border-y border-line py-4">
      <p className="text-portal">{t('isAutomatic')}</p>
      {problem && <ErrorLine>{problem}</ErrorLine>}
      <PortalButton busy={isBusy} busyLabel={t('stopping')} onClick={onStop}>
        {t('stop')}
      </PortalButton>
    </div>
  )
}

interface OverProps {
  stage: Extract<Stage, { name: 'over' }>
  isBusy: boolean
  isFromPortal: boolean
  onCheck: () => void
}

function Over({ stage: { outcome, amountCents, leftCents }, isBusy, isFromPortal, onCheck }: OverProps) {
  const language = useLanguage()
  const t = payTexts[language]
  if (outcome === 'unknown')
    return (
      <>
        <ErrorLine>{t('uncertain')}</ErrorLine>
        <PortalButton variant="filled" busy={isBusy} busyLabel={t('checking')} onClick={onCheck}>
          {t('check')}
        </PortalButton>
      </>
    )
  return (
    <>
      <p className="flex gap-3 text-portal">
        {outcome === 'paid' && <CircleCheck aria-hidden="true" className="mt-0.5 size-6! flex-none text-success-fg" />}
        {outcome === 'paid' ? t('paid', { amount: formatCents(amountCents, language) }) : t('processing')}
      </p>
      {outcome === 'paid' && leftCents !== null && leftCents > 0 && (
        <p className="text-portal">{t('left', { amount: formatCents(leftCents, language) })}</p>
      )}
      {isFromPortal ? (
        <PortalButton asChild variant="filled">
          <a href={portalPath} onClick={leave}>
            {t('backToPortal')}
          </a>
        </PortalButton>
      ) : (
        <p className="text-portal text-fg-2">{t('close')}</p>
      )}
    </>
  )
}
