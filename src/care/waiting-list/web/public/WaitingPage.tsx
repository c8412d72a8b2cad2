import { useEffect, useRef, useState } from 'react'
import { inLanguage } from '../../../../shared/translations.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { bookingPath } from '../../../appointments/link-rules.ts'
import { describeWish } from '../../wish-rules.ts'
import { offerTexts } from '../../texts.ts'
import { leave, loadPlace, type LinkProblem, type PlaceResult } from './link-calls.ts'
import { Unopened } from './Unopened.tsx'

/** The page behind the link in the email to who joins the waiting list. Opening it changes nothing, because programs open links too. */
export default function WaitingPage() {
  const language = useLanguage()
  const t = offerTexts[language]
  const [stage, setStage] = useState<PlaceResult | { name: 'loading' }>({ name: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<LinkProblem | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const load = () => void loadPlace().then(setStage)
  useEffect(load, [])

  async function end() {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const result = await leave()
    setBusy(false)
    if (result.name === 'failed') return setProblem(result.problem)
    setStage(result)
    // The button that had the focus no longer exists.
    title.current?.focus()
  }

  const place = stage.name === 'known' ? stage.found : null
  const heading = t(`place.titles.${place?.status ?? 'unknown'}`)
  const visit = place && inLanguage(language, place.visit, place.visitFr)
  return (
    <PortalFrame title={heading} announcement={place && place.status !== 'waiting' ? heading : ''} narrow>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {heading}
      </h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name !== 'known' && <Unopened stage={stage} onRetry={load} />}
        {place && visit !== null && (
          <>
            <p>{t('hello', { name: place.firstName })}</p>
            <p className="wrap-anywhere">{t(`place.${place.status}`, { visit })}</p>
            {place.status === 'waiting' && (
              <section className="border-t border-line pt-5">
                <h2 className="pb-2 text-lg font-semibold">{t('place.suitable')}</h2>
                <ul className="flex flex-col gap-1.5">
                  {describeWish(place, language).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </section>
            )}
            {problem && <ErrorLine>{t(`problems.${problem}`)}</ErrorLine>}
            {place.status === 'waiting' && (
              <PortalButton className="md:self-start" busy={isBusy} busyLabel={t('place.leaving')} onClick={() => void end()}>
                {t('place.leave')}
              </PortalButton>
            )}
            {place.status === 'ended' && place.bookableId !== null && (
              <PortalButton asChild className="md:self-start">
                <a href={bookingPath(place.bookableId, language)}>{t('others')}</a>
              </PortalButton>
            )}
          </>
        )}
      </Card>
    </PortalFrame>
  )
}
