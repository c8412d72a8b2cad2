import { useEffect, useRef, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { RescheduleForm } from './RescheduleForm.tsx'
import { type LinkResult, askForAnother, confirm, type Linked, loadAppointment, type RescheduleInput } from './link-calls.ts'
import { LinkedFacts } from './LinkedFacts.tsx'

type Stage = LinkResult | { name: 'loading' }
type Done = 'confirmed' | 'asked' | null

const titles: Record<Linked['state'], string> = {
  booked: 'Your appointment',
  confirmed: 'Your appointment',
  moved: 'Your appointment was moved',
  cancelled: 'Your appointment is cancelled',
}

/** The page behind the link in an appointment email. Opening it changes nothing, because programs open links too. */
export default function AppointmentPage() {
  const { name } = usePractice()
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState<'confirm' | 'ask' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
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
    if (result.name === 'failed') return setProblem(result.message)
    // Changed since this page was opened: show the current state.
    if (result.name === 'changed') load()
    else setStage(result)
    setAsking(false)
    if (result.name === 'known') setDone(which === 'confirm' ? 'confirmed' : 'asked')
  }

  const linked = stage.name === 'known' ? stage.linked : null
  const heading = isAsking ? 'Ask for another time' : linked ? titles[linked.state] : 'Your appointment'
  const announcement = done === 'confirmed' ? 'You have confirmed your appointment.' : done === 'asked' ? 'Request received.' : ''
  return (
    <PortalFrame title={heading} announcement={announcement} narrow>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label="Loading" className="flex min-h-40 flex-col gap-4">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        )}
        {(stage.name === 'unknown' || stage.name === 'changed') && (
          <p>This link no longer works. Please use the link in the latest email from {name}, or call us.</p>
        )}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>{stage.message}</ErrorLine>
            <PortalButton onClick={load}>Try again</PortalButton>
          </>
        )}
        {linked && (
          <>
            {!isAsking && <p>Hello {linked.firstName},</p>}
            <LinkedFacts linked={linked} />
            {problem && <ErrorLine>{problem}</ErrorLine>}
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
  if (state === 'moved') return <p>This is the new time. To confirm it, please use the link in our latest email, or call us.</p>
  if (state === 'cancelled') return <p>If you would like another time, please call us or reply to our email.</p>
  return (
    <>
      {askedAt && (
        <p>
          You have {state === 'confirmed' ? 'also ' : ''}asked for another time. We will call or email you. Until then, this time is kept
          for you.
        </p>
      )}
      <div className="flex flex-col gap-3 md:flex-row">
        {state === 'booked' && (
          <PortalButton variant="filled" busy={busy === 'confirm'} busyLabel="Confirming…" onClick={onConfirm}>
            Confirm
          </PortalButton>
        )}
        <PortalButton disabled={busy !== null} onClick={onAsk}>
          Ask for another time
        </PortalButton>
      </div>
    </>
  )
}
