import { useEffect, useRef, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { preferLanguage, useTexts } from '../../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { textLinkTexts } from './texts.ts'
import { type LinkProblem, openLink, renewLink, type Shown, viewLink } from './link-calls.ts'

type Stage =
  | { name: 'loading' }
  | { name: 'unknown' }
  | { name: 'failed'; problem: LinkProblem }
  | { name: 'sent' }
  | { name: 'known'; link: Shown }

/** The page behind a short link in a text message. A button opens the link, because programs that show previews load the page too. */
export default function TextLinkPage() {
  const { name: practice } = usePractice()
  const t = useTexts(textLinkTexts)
  const frame = useTexts(frameTexts)
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<LinkProblem | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const key = useRef(crypto.randomUUID())

  async function load() {
    const result = await viewLink()
    if (result.name !== 'known') return setStage(result)
    preferLanguage(result.answer.language)
    setStage({ name: 'known', link: result.answer })
  }
  useEffect(() => void load(), [])
  // The button that had the focus no longer exists.
  useEffect(() => {
    if (stage.name === 'sent') title.current?.focus()
  }, [stage.name])

  async function open() {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const result = await openLink()
    // Replaced, so that the back button does not return to a link that is used.
    if (result.name === 'known') return location.replace(result.answer.path)
    setBusy(false)
    if (result.name === 'unknown') return setStage(result)
    if (result.code) return load()
    setProblem(result.problem)
  }

  async function renew() {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const result = await renewLink(key.current)
    setBusy(false)
    if (result.name === 'known') return setStage({ name: 'sent' })
    if (result.name === 'unknown') return setStage(result)
    setProblem(result.problem)
  }

  const link = stage.name === 'known' ? stage.link : null
  const isReady = link?.state === 'ready'
  const heading = link
    ? t(`titles.${link.state === 'ready' ? link.purpose : link.state}`)
    : t(`titles.${stage.name === 'known' || stage.name === 'loading' ? 'portal' : stage.name}`)
  return (
    <PortalFrame title={heading} announcement={stage.name === 'sent' ? t('titles.sent') : ''} narrow>
      {stage.name !== 'loading' && (
        <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
          {heading}
        </h1>
      )}
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label={frame('loading')} className="flex min-h-30 flex-col gap-4">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/3" />
          </div>
        )}
        {stage.name === 'unknown' && <p>{t('unknown', { practice })}</p>}
        {stage.name === 'sent' && <p>{t('sent')}</p>}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>{t(`problems.${stage.problem}`)}</ErrorLine>
            <PortalButton onClick={() => void load()}>{frame('tryAgain')}</PortalButton>
          </>
        )}
        {link && (
          <>
            <p>{link.state === 'ready' ? t('ready') : link.canRenew ? t(link.state) : t('over')}</p>
            {problem && <ErrorLine>{t(`problems.${problem}`)}</ErrorLine>}
            {isReady ? (
              <PortalButton variant="filled" className="md:self-start" busy={isBusy} busyLabel={t('opening')} onClick={() => void open()}>
                {t('open')}
              </PortalButton>
            ) : (
              link.canRenew && (
                <PortalButton
                  variant="filled"
                  className="md:self-start"
                  busy={isBusy}
                  busyLabel={t('renewing')}
                  onClick={() => void renew()}
                >
                  {t('renew')}
                </PortalButton>
              )
            )}
          </>
        )}
      </Card>
    </PortalFrame>
  )
}
