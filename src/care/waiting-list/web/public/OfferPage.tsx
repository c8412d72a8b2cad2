import { useEffect, useRef, useState } from 'react'
import { formatCents, formatClockTime, formatFullDay, formatMediumInstant, inLanguage } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { useReturn } from '../../../../ui/hooks/useReturn.ts'
import { useLanguage, useTexts } from '../../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { bookingPath } from '../../../appointments/link-rules.ts'
import { offerTexts } from '../../texts.ts'
import { accept, decline, loadOffer, offeredTimePath, type Offer, type LinkProblem, type OfferResult } from './link-calls.ts'
import { Unopened } from './Unopened.tsx'

type Answer = 'accept' | 'decline' | 'stop'

/** The page behind the link in an offer from the waiting list. Opening it changes nothing, because programs open links too. */
export default function OfferPage() {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = offerTexts[language]
  const [stage, setStage] = useState<OfferResult | { name: 'loading' }>({ name: 'loading' })
  const [busy, setBusy] = useState<Answer | null>(null)
  const [problem, setProblem] = useState<LinkProblem | null>(null)
  /** What was answered on this page; after a reload, no one knows. */
  const [given, setGiven] = useState<Answer | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const load = () => void loadOffer().then(setStage)
  useEffect(load, [])
  // The time may have been taken, or be free again.
  useReturn(() => {
    if (busy || stage.name !== 'known') return
    void loadOffer().then((found) => found.name !== 'failed' && setStage(found))
  })

  async function answer(which: Answer, action: () => Promise<OfferResult>) {
    if (busy) return
    setBusy(which)
    setProblem(null)
    const result = await action()
    setBusy(null)
    if (result.name === 'failed') return setProblem(result.problem)
    setGiven(which)
    setStage(result)
    // The button that had the focus no longer exists.
    title.current?.focus()
  }

  /** Asks whether to leave the list, or no longer. The button that had the focus no longer exists. */
  function ask(isAsked: boolean) {
    setLeaving(isAsked)
    title.current?.focus()
  }

  const offer = stage.name === 'known' ? stage.found : null
  const isStopped = given === 'stop' && offer?.isWaiting === false
  const heading = isStopped ? t('place.titles.ended') : t(`titles.${offer?.state ?? 'open'}`)
  return (
    <PortalFrame title={heading} announcement={offer && offer.state !== 'open' ? heading : ''} narrow>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name !== 'known' && <Unopened stage={stage} onRetry={load} />}
        {offer && (
          <>
            <p>{t('hello', { name: offer.firstName })}</p>
            <Facts offer={offer} timeZone={timeZone} />
            {problem && <ErrorLine>{t(`problems.${problem}`)}</ErrorLine>}
            {offer.state === 'open' && isLeaving ? (
              <Leave isBusy={busy === 'stop'} onLeave={() => void answer('stop', () => decline(true))} onStay={() => ask(false)} />
            ) : offer.state === 'open' ? (
              <>
                <p>{t('until', { at: formatMediumInstant(offer.expiresAt, language, timeZone).replace(/\.$/, '') })}</p>
                {offer.depositCents !== null && (
                  <p>{offer.depositCents > 0 ? t('depositNow', { amount: formatCents(offer.depositCents, language) }) : t('cardNow')}</p>
                )}
                <div className="flex flex-col gap-3 md:flex-row md:flex-wrap">
                  {offer.depositCents === null ? (
                    <PortalButton
                      variant="filled"
                      busy={busy === 'accept'}
                      busyLabel={t('accepting')}
                      onClick={() => void answer('accept', accept)}
                    >
                      {t('accept')}
                    </PortalButton>
                  ) : (
                    <PortalButton asChild variant="filled">
                      <a href={offeredTimePath(language)}>{t('continue')}</a>
                    </PortalButton>
                  )}
                  <PortalButton
                    busy={busy === 'decline'}
                    busyLabel={t('declining')}
                    onClick={() => void answer('decline', () => decline(false))}
                  >
                    {t('decline')}
                  </PortalButton>
                  <PortalButton
                    variant="quiet"
                    // Its text is in line with the buttons above.
                    className="md:-ml-5"
                    onClick={() => ask(true)}
                  >
                    {t('stop')}
                  </PortalButton>
                </div>
              </>
            ) : (
              <Ended offer={offer} given={given} onLookAgain={load} />
            )}
            {offer.link !== null && (
              <p>
                <a href={offer.link} className="font-semibold underline underline-offset-4">
                  {t('manage')}
                </a>
              </p>
            )}
          </>
        )}
      </Card>
    </PortalFrame>
  )
}

/** Whether the patient really leaves the waiting list. */
function Leave({ isBusy, onLeave, onStay }: { isBusy: boolean; onLeave: () => void; onStay: () => void }) {
  const t = useTexts(offerTexts)
  return (
    <>
      <p className="font-semibold">{t('stopSure')}</p>
      <div className="flex flex-col gap-3 md:flex-row">
        <PortalButton onClick={onStay}>{t('stay')}</PortalButton>
        <PortalButton variant="danger-filled" busy={isBusy} busyLabel={t('place.leaving')} onClick={onLeave}>
          {t('place.leave')}
        </PortalButton>
      </div>
    </>
  )
}

/** What became of an offer that is not open, whether the patient still waits, and where other times are. */
function Ended({ offer, given, onLookAgain }: { offer: Offer; given: Answer | null; onLookAgain: () => void }) {
  const language = useLanguage()
  const t = offerTexts[language]
  const { state, isWaiting, bookableId } = offer
  if (state === 'open') return null
  if (state === 'accepted') return <p>{t('accepted')}</p>
  if (state === 'held')
    return (
      <>
        <p>{t('held')}</p>
        <PortalButton variant="filled" className="md:self-start" onClick={onLookAgain}>
          {t('lookAgain')}
        </PortalButton>
      </>
    )
  const reason = state !== 'declined' ? t(state) : given === null ? t('declinedBefore') : ''
  return (
    <>
      <p>{given === 'stop' && !isWaiting ? t('stopped') : `${reason} ${t(isWaiting ? 'isWaiting' : 'isNotWaiting')}`}</p>
      {bookableId !== null && (
        <PortalButton asChild className="md:self-start">
          <a href={bookingPath(bookableId, language)}>{t('others')}</a>
        </PortalButton>
      )}
    </>
  )
}

/** The visit, and when, with whom and where it is. */
function Facts({ offer: { state, visit, visitFr, minutes, startsAt, provider, place }, timeZone }: { offer: Offer; timeZone: string }) {
  const language = useLanguage()
  const t = offerTexts[language]
  const isOff = state !== 'open' && state !== 'accepted' && state !== 'held'
  return (
    <div className="flex flex-col gap-1">
      <p className={`text-2xl leading-snug font-semibold ${isOff ? 'text-fg-3 line-through' : ''}`}>
        <time dateTime={startsAt}>
          <span className="block first-letter:uppercase">{formatFullDay(startsAt, language, timeZone)}</span>
          <span className="block tabular-nums">{formatClockTime(startsAt, language, timeZone)}</span>
        </time>
      </p>
      {!isOff && (
        <p className="pt-1 text-fg-2">
          <span className="block wrap-anywhere">
            {inLanguage(language, visit, visitFr)}, {t('minutes', { minutes })}
          </span>
          {provider && <span className="block">{t('withProvider', { provider })}</span>}
          <span className="block wrap-anywhere">{place}</span>
        </p>
      )}
    </div>
  )
}
