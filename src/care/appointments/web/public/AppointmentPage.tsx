import { useEffect, useRef, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { RescheduleForm, type RescheduleInput } from '../embed/RescheduleForm.tsx'
import { useTexts } from '../../../../ui/patient/language.ts'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { type LinkProblem, type LinkResult, askForAnother, confirm, type Linked, loadAppointment } from './link-calls.ts'
import { LinkedFacts } from './LinkedFacts.tsx'
import { appointmentTexts } from '../../texts.ts'

type Stage = LinkResult | { name: 'loading' }
type Done = 'confirmed' | 'asked' | null

/** The page behind the link in an appointment email. Opening it changes nothing, because programs open links too. */
export default function AppointmentPage() {
  const { name: practice } = usePractice()
  const t = useTexts(appointmentTexts)
  const frame = useTexts(frameTexts)
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState<'confirm' | 'ask' | null>(null)
  const [problem, setProblem] = useState<LinkProblem | null>(null)
  const [done, setDone] = useState<Done>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const load = () => void loadAppointment().then(setStage)
  useEffect(load, [])
  // The button that had the focus no longer exists.
  useEffect(() => {
    if (done) title.current?.focus()
  }, [done])

  async function act(which: 'confirm' | 'ask', action: () => Promise<LinkResult>) {
    if (busy) return
    setBusy(which)
    setProblem(null)
    const result = await action()
    setBusy(null)
    if (result.name === 'failed') return setProblem(result.problem)
    // Changed since this page was opened: show the current state.
    if (result.name === 'changed') load()
    else setStage(result)
    setAsking(false)
    if (result.name === 'known') setDone(which === 'confirm' ? 'confirmed' : 'asked')
  }

  const linked = stage.name === 'known' ? stage.linked : null
  const heading = isAsking ? t('ask') : t(`titles.${linked?.state ?? 'booked'}`)
  return (
    <PortalFrame title={heading} announcement={done ? t(`done.${done}`) : ''} narrow>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label={frame('loading')} className="flex min-h-40 flex-col gap-4">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        )}
        {(stage.name === 'unknown' || stage.name === 'changed') && <p>{t('unknown', { practice })}</p>}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>{t(`problems.${stage.problem}`)}</ErrorLine>
            <PortalButton onClick={load}>{frame('tryAgain')}</PortalButton>
          </>
        )}
        {linked && (
          <>
            {!isAsking && <p>{t('hello', { name: linked.firstName })}</p>}
            <LinkedFacts linked={linked} />
            {problem && <ErrorLine>{t(`problems.${problem}`)}</ErrorLine>}
            {isAsking ? (
              <RescheduleForm
                openDays={linked.openDays}
                isBusy={busy === 'ask'}
                onAsk={(wish: RescheduleInput) => void act('ask', () => askForAnother(wish))}
                onBack={() => {
                  setAsking(false)
                  setProblem(null)
                  title.current?.focus()
                }}
              />
            ) : (
              <Actions linked={linked} busy={busy} onConfirm={() => void act('confirm', confirm)} onAsk={() => setAsking(true)} />
            )}
          </>
        )}
      </Card>
    </PortalFrame>
  )
}

interface ActionsProps {
  linked: Linked
  busy: 'confirm' | 'ask' | null
  onConfirm: () => void
  onAsk: () => void
}

function Actions({ linked: { state, askedAt }, busy, onConfirm, onAsk }: ActionsProps) {
  const t = useTexts(appointmentTexts)
  if (state === 'moved') return <p>{t('moved')}</p>
  if (state === 'cancelled') return <p>{t('cancelled')}</p>
  return (
    <>
      {askedAt && <p>{state === 'confirmed' ? t('alsoAsked') : t('asked')}</p>}
      <div className="flex flex-col gap-3 md:flex-row">
        {state === 'booked' && (
          <PortalButton variant="filled" busy={busy === 'confirm'} busyLabel={t('confirming')} onClick={onConfirm}>
            {t('confirm')}
          </PortalButton>
        )}
        <PortalButton disabled={busy !== null} onClick={onAsk}>
          {t('ask')}
        </PortalButton>
      </div>
    </>
  )
}
