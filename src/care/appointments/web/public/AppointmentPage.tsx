import { CalendarPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { RescheduleForm, type RescheduleInput } from '../embed/RescheduleForm.tsx'
import { useLanguage, useTexts } from '../../../../ui/patient/language.ts'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { useReturn } from '../../../../ui/hooks/useReturn.ts'
import { formatCents } from '../../../../shared/translations.ts'
import { bookingPath, calendarFilePath } from '../../link-rules.ts'
import { noticeLines } from '../../notice-rules.ts'
import { CancelForm, MoveForm } from './ChangeForms.tsx'
import {
  askForAnother,
  cancel,
  confirm,
  type Linked,
  type LinkProblem,
  type LinkResult,
  loadAppointment,
  move,
  tokenOf,
} from './link-calls.ts'
import { LinkedFacts } from './LinkedFacts.tsx'
import { appointmentTexts } from '../../texts.ts'

type Stage = LinkResult | { name: 'loading' }
type Done = 'confirmed' | 'asked' | 'moved' | 'cancelled'
/** What the patient does: look at it, ask for another time, move it or cancel it. */
type Doing = 'view' | 'ask' | 'move' | 'cancel'

/** The page behind the link in an appointment email. Opening it changes nothing, because programs open links too. */
export default function AppointmentPage() {
  const { name: practice, timeZone } = usePractice()
  const t = useTexts(appointmentTexts)
  const frame = useTexts(frameTexts)
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [doing, setDoing] = useState<Doing>('view')
  const [busy, setBusy] = useState<Done | null>(null)
  const [problem, setProblem] = useState<LinkProblem | null>(null)
  /** Increases when times have to be loaded again. */
  const [round, setRound] = useState(0)
  const [done, setDone] = useState<Done | null>(null)
  const language = useLanguage()
  const [now, setNow] = useState(() => Date.now())
  const title = useRef<HTMLHeadingElement>(null)
  const load = () => void loadAppointment().then(setStage)
  useEffect(load, [])
  // It may have been moved or cancelled in another tab, or by the practice.
  useReturn(() => {
    if (busy || stage.name !== 'known') return
    void loadAppointment().then((found) => {
      if (found.name === 'failed') return
      const isSame = found.name === 'known' && found.linked.state === stage.linked.state && found.linked.startsAt === stage.linked.startsAt
      if (!isSame) setDoing('view')
      setNow(Date.now())
      setStage(found)
    })
  })
  // The button that had the focus no longer exists.
  useEffect(() => {
    if (done) title.current?.focus()
  }, [done])

  async function act(which: Done, action: () => Promise<LinkResult>) {
    if (busy) return
    setBusy(which)
    setProblem(null)
    const result = await action()
    setBusy(null)
    if (result.name === 'failed') {
      if (result.problem === 'taken') setRound((before) => before + 1)
      return setProblem(result.problem)
    }
    // Changed since this page was opened: show the current state.
    if (result.name === 'changed') load()
    else setStage(result)
    setDoing('view')
    if (result.name === 'known') setDone(which)
  }
  const go = (next: Doing) => {
    setDoing(next)
    setProblem(null)
    title.current?.focus()
  }

  const linked = stage.name === 'known' ? stage.linked : null
  const isLate = linked?.changeableUntil != null && Date.parse(linked.changeableUntil) < now
  const feeCents = isLate ? (linked.terms?.lateFeeCents ?? 0) : 0
  const depositCents = linked?.terms?.depositCents ?? 0
  const money = (cents: number) => formatCents(cents, language)
  const [fee, rest] = [money(feeCents), money(Math.abs(depositCents - feeCents))]
  const feeText =
    depositCents === 0
      ? t('lateFee', { fee })
      : depositCents === feeCents
        ? t('lateFeeWhole', { fee })
        : t(depositCents > feeCents ? 'lateFeeBack' : 'lateFeeMore', { fee, rest })
  const noFeeText =
    depositCents > 0 ? t('depositBack', { amount: money(depositCents) }) : linked?.terms?.isFeeCharged ? t('feeCharged') : null
  const consequence = feeCents > 0 ? feeText : noFeeText
  const noticeMs = linked?.changeableUntil == null ? null : Date.parse(linked.startsAt) - Date.parse(linked.changeableUntil)
  /** What a time means for changing it: the hours of notice stay the same when the patient moves it. */
  const noticeOf = (startsAt: string): string[] => {
    if (!linked || noticeMs === null) return []
    const at = new Date(startsAt)
    const notice = { startsAt: at, until: new Date(Number(at) - noticeMs), lateFeeCents: linked.terms && linked.terms.lateFeeCents }
    return noticeLines(notice, new Date(now), language, timeZone)
  }
  const note = done === 'moved' ? t('done.moved') : linked?.state === 'confirmed' ? t('isConfirmed') : null
  const headings = { ask: t('ask'), move: t('move'), cancel: t('confirmCancel'), view: t(`titles.${linked?.state ?? 'booked'}`) }
  const heading = headings[doing]
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
            {doing === 'view' && <p>{t('hello', { name: linked.firstName })}</p>}
            <LinkedFacts linked={linked} note={doing === 'view' ? note : null} showsDeposit={doing === 'view'} />
            {doing === 'view' && (linked.state === 'booked' || linked.state === 'confirmed') && (
              <a
                href={calendarFilePath(tokenOf())}
                className="flex min-h-11 items-center gap-2.5 self-start font-semibold underline underline-offset-4"
              >
                <CalendarPlus aria-hidden="true" className="size-4.5" /> {t('addToCalendar')}
              </a>
            )}
            {problem && <ErrorLine>{t(`problems.${problem}`)}</ErrorLine>}
            {doing === 'view' && (
              <Actions
                linked={linked}
                isChangeable={linked.changeableUntil !== null && !isLate}
                notice={noticeOf(linked.startsAt)}
                busy={busy}
                onConfirm={() => void act('confirmed', confirm)}
                onDo={go}
              />
            )}
            {doing === 'ask' && (
              <RescheduleForm
                openDays={linked.openDays}
                isBusy={busy === 'asked'}
                onAsk={(request: RescheduleInput) => void act('asked', () => askForAnother(request))}
                onBack={() => go('view')}
              />
            )}
            {doing === 'move' && (
              <MoveForm
                key={round}
                near={linked.startsAt}
                noticeOf={noticeOf}
                isBusy={busy === 'moved'}
                onMove={(startsAt) => void act('moved', () => move(startsAt))}
                onBack={() => go('view')}
              />
            )}
            {doing === 'cancel' && (
              <CancelForm
                consequence={consequence}
                isBusy={busy === 'cancelled'}
                onCancel={(reason) => void act('cancelled', () => cancel(reason, feeCents))}
                onBack={() => go('view')}
              />
            )}
          </>
        )}
      </Card>
    </PortalFrame>
  )
}

interface ActionsProps {
  linked: Linked
  isChangeable: boolean
  /** Until when it can be changed, a sentence each. */
  notice: string[]
  busy: Done | null
  onConfirm: () => void
  onDo: (what: Doing) => void
}

function Actions({ linked, isChangeable, notice, busy, onConfirm, onDo }: ActionsProps) {
  const language = useLanguage()
  const t = appointmentTexts[language]
  const { state, askedAt, changeableUntil, terms, moneyLines, bookAgainId } = linked
  if (state === 'moved') return <p>{t('moved')}</p>
  if (state === 'cancelled')
    return (
      <>
        {moneyLines[language].length > 0 && <p>{moneyLines[language].join(' ')}</p>}
        <p>{t(bookAgainId === null ? 'cancelled' : 'cancelledOnline')}</p>
        {bookAgainId !== null && (
          <PortalButton asChild className="md:self-start">
            <a href={bookingPath(bookAgainId, language)}>{t('bookAgain')}</a>
          </PortalButton>
        )}
      </>
    )
  return (
    <>
      {askedAt && <p>{state === 'confirmed' ? t('alsoAsked') : t('asked')}</p>}
      {notice.length > 0 && <p>{notice.join(' ')}</p>}
      <div className="flex flex-col gap-3 md:flex-row md:flex-wrap">
        {state === 'booked' && (
          <PortalButton variant="filled" busy={busy === 'confirmed'} busyLabel={t('confirming')} onClick={onConfirm}>
            {t('confirm')}
          </PortalButton>
        )}
        {isChangeable ? (
          <>
            <PortalButton disabled={busy !== null} onClick={() => onDo('move')}>
              {t('move')}
            </PortalButton>
            <PortalButton variant="quiet" disabled={busy !== null} onClick={() => onDo('cancel')}>
              {t('cancel')}
            </PortalButton>
          </>
        ) : (
          <>
            <PortalButton disabled={busy !== null} onClick={() => onDo('ask')}>
              {t('ask')}
            </PortalButton>
            {terms && changeableUntil !== null && (
              <PortalButton variant="quiet" disabled={busy !== null} onClick={() => onDo('cancel')}>
                {t('cancel')}
              </PortalButton>
            )}
          </>
        )}
      </div>
    </>
  )
}
