import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import * as calls from './calls.ts'
import { CodeStep } from './CodeStep.tsx'
import { DetailsStep } from './DetailsStep.tsx'
import { keepDraft, readDraft } from './draft.ts'
import { Frame } from './Frame.tsx'
import { BookedStep, HeldStep } from './HeldStep.tsx'
import { bookingTexts } from './texts.ts'
import { TimeStep } from './TimeStep.tsx'
import { VisitList } from './VisitList.tsx'
import type { Times } from './wait/WaitStep.tsx'

type Stage = 'visit' | 'time' | 'wait' | 'details' | 'code' | 'held' | 'pay' | 'booked' | 'waiting'

/** Loaded only by those who pay, or wait. */
const PayStep = lazy(() => import('./PayStep.tsx'))
const WaitStep = lazy(() => import('./wait/WaitStep.tsx'))
const WaitingStep = lazy(() => import('./wait/WaitStep.tsx').then((loaded) => ({ default: loaded.WaitingStep })))

const query = new URLSearchParams(location.search)
/** Of the link of an offer from the waiting list, whose time is booked; null: the patient chooses a time. */
const offerToken = query.get('offer')
/** The page of the offer, which shows how it ended. */
const toOffer = () => location.replace(`/offer/${encodeURIComponent(offerToken ?? '')}`)
/** As it was left when the page was loaded again. An offer has its own patient and time. */
const draft = offerToken === null ? readDraft() : {}
const noPerson: calls.Person = { firstName: '', lastName: '', email: '', phone: '', ...draft.person, words: '' }

const loading = <div className="h-60 animate-pulse rounded-lg bg-subtle" />

/** Whether the same call may succeed a moment later. */
const isPassing = (problem: calls.Problem) => problem === 'CONNECTION' || problem === 'TOO_MANY_REQUESTS' || problem === 'UNEXPECTED'

/** Books a visit: which one, when, who, a code, and the booking. What was entered stays when the patient goes back. */
export default function BookingPage() {
  const language = useLanguage()
  const t = bookingTexts[language]
  const [offers, setOffers] = useState<calls.Offers | null>(null)
  const [stage, setStage] = useState<Stage>('visit')
  const [visit, setVisit] = useState<calls.Visit | null>(null)
  const [providerId, setProviderId] = useState<string | null>(null)
  const [startsAt, setStartsAt] = useState<string | null>(null)
  /** The time that was chosen last, also if it was taken. */
  const [near, setNear] = useState<string | null>(null)
  /** What the patient waits for, instead of choosing a time. */
  const [times, setTimes] = useState<Times | null>(null)
  const [person, setPerson] = useState(noPerson)
  /** Of the booking that is under way, and whether its address is proved. */
  const [booking, setBooking] = useState<{ key: string; isProven: boolean } | null>(null)
  const [held, setHeld] = useState<calls.Held | null>(null)
  const [form, setForm] = useState<calls.PaymentForm | null>(null)
  /** Whether the payment may have gone through. */
  const [isSent, setSent] = useState(false)
  const [booked, setBooked] = useState<calls.Booked | null>(null)
  const [problem, setProblem] = useState<calls.Problem | null>(null)
  /** Fields that the server refused. */
  const [wrong, setWrong] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  /** Whether a call is under way, before the page is drawn again. */
  const isRunning = useRef(false)
  /** What was last sent to begin a booking, and its key. */
  const begun = useRef<{ wanted: string; key: string } | null>(null)
  /** Increases when times have to be loaded again. */
  const [round, setRound] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)

  const load = useCallback(async () => {
    setProblem(null)
    const { data, problem: failed } = await calls.fetchOffers()
    if (failed) return setProblem(failed)
    if (data.practice.brandHue !== null) document.documentElement.style.setProperty('--brand-h', String(data.practice.brandHue))
    if (offerToken !== null) {
      const offered = await calls.holdOffer(offerToken)
      if (offered.problem !== null) return isPassing(offered.problem) ? setProblem(offered.problem) : toOffer()
      const { key, visitTypeId, ...time } = offered.data
      setVisit(data.visits.find(({ id }) => id === visitTypeId) ?? null)
      setBooking({ key, isProven: true })
      setHeld(time)
      setStage('held')
      history.replaceState({ stage: 'held' }, '')
      return setOffers(data)
    }
    setOffers(data)
    const asked =
      data.visits.find(({ id }) => id === (query.get('visit') ?? draft.visitId)) ?? (data.visits.length === 1 ? data.visits[0] : undefined)
    if (!asked) return
    setVisit(asked)
    const isSame = asked.id === draft.visitId
    const wanted = query.get('provider') ?? (isSame ? draft.providerId : null)
    setProviderId(asked.providers.find(({ id }) => id === wanted)?.id ?? null)
    if (isSame && draft.startsAt && Date.parse(draft.startsAt) > Date.now()) {
      setStartsAt(draft.startsAt)
      setNear(draft.startsAt)
    }
    const begunBefore = isSame && draft.startsAt ? draft.booking : null
    // What was paid before the page was loaded again is booked, and not paid twice.
    const made = begunBefore?.isPaying ? await calls.confirm(begunBefore.key) : null
    if (made?.data) setBooked(made.data)
    else setSent(made !== null && made.problem !== 'UNPAID')
    if (begunBefore) setBooking(begunBefore)
    const next = made?.data ? 'booked' : begunBefore && !begunBefore.isProven ? 'code' : 'time'
    setStage(next)
    history.replaceState({ stage: next }, '')
  }, [])
  useEffect(() => void load(), [load])
  const isOver = stage === 'booked' || stage === 'waiting'
  const visitId = visit?.id ?? null
  useEffect(() => {
    const { words: _, ...contact } = person
    const underWay = booking && { ...booking, isPaying: form !== null }
    if (offers && offerToken === null) keepDraft(isOver ? null : { visitId, providerId, startsAt, person: contact, booking: underWay })
  }, [offers, isOver, visitId, providerId, startsAt, person, booking, form])

  // The browser's Back goes a step back, but never into a booking that is made.
  useEffect(() => {
    const onPop = ({ state }: PopStateEvent) => {
      if (isOver) return history.pushState({ stage }, '')
      const earlier = (state as { stage?: Stage } | null)?.stage ?? 'visit'
      setProblem(null)
      // The browser remembers steps of a page that was loaded again, whose choices are gone.
      const isPossible = earlier === 'visit' || (visit !== null && (earlier !== 'details' || startsAt !== null || times !== null))
      setStage(
        !isPossible
          ? 'visit'
          : earlier === 'visit' || earlier === 'details' || earlier === 'wait' || (earlier === 'held' && held)
            ? earlier
            : 'time',
      )
    }
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [isOver, stage, visit, startsAt, times, held])
  // Someone else can have the held time at once, and the patient may take it again when the page is loaded again.
  // A booking whose payment has begun keeps its time, and so does that of an offer.
  const unfinished = !isOver && offerToken === null && held && booking && !form ? booking.key : null
  useEffect(() => {
    if (unfinished === null) return undefined
    const onHide = () => calls.free(unfinished)
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [unfinished])
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    // The code has its field focused.
    else if (stage !== 'code') heading.current?.focus()
  }, [stage])

  function go(next: Stage) {
    setProblem(null)
    setStage(next)
    history.pushState({ stage: next }, '')
    scrollTo({ top: 0 })
  }
  /** Goes where a refusal can be mended. */
  function refuse(refused: calls.Problem) {
    if (offerToken !== null && (refused === 'OVER' || (refused === 'TAKEN' && !isSent))) return toOffer()
    if (refused === 'TAKEN') {
      // What was held before is kept only by a refused choice of another time.
      if (stage !== 'time') setHeld(null)
      setStartsAt(null)
      setRound((before) => before + 1)
      go('time')
    } else if (refused === 'UNPAID') {
      setSent(false)
    } else if (refused === 'OVER') {
      end()
      go('time')
    }
    setProblem(refused)
  }
  async function run<Data>(action: () => Promise<calls.Answer<Data>>, done: (data: Data) => void) {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(null)
    setWrong([])
    const answer = await action()
    isRunning.current = false
    setBusy(false)
    if (answer.problem === null) return done(answer.data)
    setWrong(answer.fields)
    refuse(answer.problem)
  }

  /** Gives up the booking that is under way, and what it holds. */
  function end() {
    if (booking) calls.leave(booking.key)
    setBooking(null)
    setHeld(null)
    setForm(null)
    setSent(false)
    begun.current = null
  }

  const chooseVisit = (chosen: calls.Visit) => {
    setVisit(chosen)
    setProviderId(null)
    setStartsAt(null)
    end()
    go('time')
  }
  const hold = (key: string, start: string) =>
    run<calls.Held | null>(
      async () => {
        const answer = await calls.holdTime(key, providerId, start)
        if (answer.problem !== 'OVER' || !isSent) return answer
        // What is paid was booked by the server in the meantime, if its first time was free again.
        const made = await calls.confirm(key)
        if (made.data) setBooked(made.data)
        return made.data ? { data: null, problem: null } : answer
      },
      (taken) => {
        if (!taken) return go('booked')
        setHeld(taken)
        // The deposit is paid: only the time was gone.
        if (isSent) void confirm()
        else go('held')
      },
    )
  const sendCode = (given: calls.Person) => {
    setPerson(given)
    // The same key for another attempt to send the same, whose response may have been lost.
    const start = times === null ? startsAt : null
    const wanted = JSON.stringify([visit!.id, providerId, start, given])
    if (begun.current?.wanted !== wanted) begun.current = { wanted, key: crypto.randomUUID() }
    const { key } = begun.current
    if (booking && booking.key !== key) {
      end()
      begun.current = { wanted, key }
    }
    return run(
      () => calls.begin({ key, visitTypeId: visit!.id, providerId, startsAt: start }, given, language),
      () => {
        setBooking({ key, isProven: false })
        go('code')
      },
    )
  }
  const prove = (code: string) =>
    run(
      async () => {
        const answer = await calls.prove(booking!.key, code)
        // The address is proved even if the time is gone.
        if (answer.data || answer.problem === 'TAKEN') setBooking({ key: booking!.key, isProven: true })
        return answer
      },
      (taken) => {
        if (taken.heldUntil === null) return void wait(booking!.key, times!)
        setHeld(taken)
        go('held')
      },
    )
  const startPayment = () =>
    run(
      () => calls.pay(booking!.key, language),
      ({ heldUntil, form: started }) => {
        setHeld((before) => before && { ...before, heldUntil })
        // Paid on another page of the same booking.
        if (!started) return void confirm()
        setForm(started)
        go('pay')
      },
    )
  const wait = (key: string, wanted: Times) =>
    run(
      () => calls.wait(key, wanted),
      () => go('waiting'),
    )
  const confirm = () =>
    run(
      () => calls.confirm(booking!.key),
      (made) => {
        setBooked(made)
        go('booked')
      },
    )

  const titles: Record<Stage, string | null> = {
    visit: t('chooseVisit'),
    time: null,
    wait: t('waitTitle'),
    details: t('who'),
    code: t('codeTitle'),
    held: t('reviewTitle'),
    pay: held?.terms?.depositCents === 0 ? t('cardTitle') : t('payTitle'),
    booked: t('bookedTitle'),
    waiting: t('waitingTitle'),
  }
  // A patient who was there before may have to pay nothing.
  const isFree = held?.terms === null && (stage === 'held' || isOver)
  const shownVisit: calls.Visit | null = visit && isFree ? { ...visit, depositKind: 'none', depositCents: 0 } : visit
  const isBeforeTime = stage === 'details' || stage === 'code'
  const isPaid = isSent && problem === 'TAKEN'
  const error = problem && <ErrorLine className="pb-4">{isPaid ? t('paidChoose') : t(`problems.${problem}`)}</ErrorLine>
  return (
    <Frame
      practice={offers?.practice ?? null}
      title={titles[stage]}
      visit={stage === 'visit' ? null : shownVisit}
      provider={
        providerId !== null || visit?.providers.length === 1
          ? ((visit?.providers.find(({ id }) => id === providerId) ?? visit?.providers[0])?.name ?? null)
          : null
      }
      isBooked={stage === 'booked'}
      isWaiting={stage === 'wait' || stage === 'waiting' || (times !== null && isBeforeTime)}
      startsAt={times !== null && isBeforeTime ? null : stage === 'held' || stage === 'pay' ? (held?.startsAt ?? null) : startsAt}
      isTimeInStep={stage === 'time' || stage === 'held' || isOver}
      onVisits={stage === 'time' && offers && offers.visits.length > 1 ? () => go('visit') : null}
      heading={heading}
      isLoading={!offers && !problem}
    >
      {!offers && problem && (
        <div className="flex flex-col items-start gap-2">
          {error}
          <PortalButton onClick={() => void load()}>{t('tryAgain')}</PortalButton>
        </div>
      )}
      {offers && stage === 'visit' && (
        <>
          {error}
          <VisitList visits={offers.visits} onChoose={chooseVisit} />
        </>
      )}
      {offers && visit && stage === 'time' && (
        <TimeStep
          key={`${visit.id} ${round}`}
          {...{ visit, providerId, startsAt, isBusy, error }}
          timeZone={offers.practice.timeZone}
          isProven={booking?.isProven ?? false}
          held={booking ? held : null}
          onKeep={() => go('held')}
          onProvider={(id) => {
            setProviderId(id)
            setStartsAt(null)
          }}
          near={near}
          onTime={(start) => {
            setStartsAt(start)
            if (start !== null) setNear(start)
          }}
          onContinue={(start) => {
            setTimes(null)
            if (booking?.isProven) void hold(booking.key, start)
            else go('details')
          }}
          onWait={offerToken === null ? () => go('wait') : toOffer}
        />
      )}
      {offers && stage === 'wait' && (
        <Suspense fallback={loading}>
          <WaitStep
            {...{ times, isBusy, error }}
            timeZone={offers.practice.timeZone}
            openDays={offers.practice.openDays}
            isProven={booking?.isProven ?? false}
            onBack={() => history.back()}
            onContinue={(wanted) => {
              setTimes(wanted)
              if (booking?.isProven) void wait(booking.key, wanted)
              else go('details')
            }}
          />
        </Suspense>
      )}
      {stage === 'details' && (
        <DetailsStep
          {...{ person, wrong, isBusy, error }}
          isWaiting={times !== null}
          onChange={setPerson}
          onBack={() => history.back()}
          onSend={(given) => void sendCode(given)}
        />
      )}
      {stage === 'code' && booking && (
        <CodeStep
          {...{ isBusy, error }}
          email={person.email}
          onBack={() => history.back()}
          onCheck={(code) => void prove(code)}
          resend={async () => {
            const { problem: refused } = await calls.resend(booking.key)
            setProblem(refused)
            return refused === null
          }}
        />
      )}
      {offers && stage === 'held' && held && visit && (
        <HeldStep
          {...{ held, visit, isBusy, error }}
          timeZone={offers.practice.timeZone}
          onConfirm={() => void (held.terms ? startPayment() : confirm())}
          onOtherTime={
            offerToken === null
              ? () => {
                  setStartsAt(null)
                  setRound((before) => before + 1)
                  go('time')
                }
              : () => {
                  end()
                  toOffer()
                }
          }
          isOffer={offerToken !== null}
        />
      )}
      {offers && stage === 'pay' && form && held?.terms && (
        <Suspense fallback={loading}>
          <PayStep
            {...{ form, isBusy, isSent, error }}
            isUncertain={problem === null || problem === 'CONNECTION' || problem === 'UNEXPECTED'}
            heldUntil={held.heldUntil}
            practice={offers.practice.name}
            depositCents={held.terms.depositCents}
            onBack={() => history.back()}
            onSent={() => {
              setSent(true)
              void confirm()
            }}
          />
        </Suspense>
      )}
      {stage === 'waiting' && times && (
        <Suspense fallback={loading}>
          <WaitingStep email={person.email} hasPhone={person.phone.trim() !== ''} times={times} />
        </Suspense>
      )}
      {offers && stage === 'booked' && booked && visit && (
        <BookedStep booked={booked} visit={visit} terms={held?.terms ?? null} email={person.email} timeZone={offers.practice.timeZone} />
      )}
    </Frame>
  )
}
