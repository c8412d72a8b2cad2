import { useEffect, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { useTexts } from '../../../../ui/patient/language.ts'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { unsubscribeTexts } from './texts.ts'

type Mailing = { address: string; isUnsubscribed: boolean }
type Stage = { name: 'loading' } | { name: 'unknown' } | { name: 'failed' } | ({ name: 'known' } & Mailing)

const timeoutMs = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function request(path: string, init: RequestInit = {}): Promise<Stage> {
  const headers = { accept: 'application/json' }
  const response = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) })
  if (response.ok) return { name: 'known', ...((await response.json()) as Mailing) }
  if (response.status === 404 || response.status === 422) return { name: 'unknown' }
  throw new Error(`The link answered ${response.status}`)
}

const lookUp = (): Promise<Stage> => request(`/api/unsubscribe/${tokenOf()}`).catch((): Stage => ({ name: 'failed' }))

/** The page of the unsubscribe link (not listed in spec 2). Opening it changes nothing, because email scanners open links too. */
export default function UnsubscribePage() {
  const { name: practice } = usePractice()
  const t = useTexts(unsubscribeTexts)
  const frame = useTexts(frameTexts)
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    void lookUp().then(setStage)
  }, [])

  async function unsubscribe() {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    try {
      setStage(await request(`/u/${tokenOf()}`, { method: 'POST' }))
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }

  const isDone = stage.name === 'known' && stage.isUnsubscribed
  return (
    <PortalFrame title={t('title')} announcement={isDone ? t('announcement') : ''} narrow>
      <h1 className="text-3xl font-semibold md:text-4xl">{isDone ? t('done') : t('title')}</h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label={frame('loading')} className="flex min-h-24 flex-col gap-3">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        )}
        {stage.name === 'unknown' && <p>{t('unknown', { practice })}</p>}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={() => void lookUp().then(setStage)}>{frame('tryAgain')}</PortalButton>
          </>
        )}
        {stage.name === 'known' && !isDone && (
          <>
            <p>
              {t('ask', { practice })} <strong className="font-semibold wrap-anywhere">{stage.address}</strong>. {t('stillGet')}
            </p>
            {hasFailed && <ErrorLine>{t('notDone')}</ErrorLine>}
            <PortalButton
              variant="filled"
              className="self-start"
              busy={isBusy}
              busyLabel={t('unsubscribing')}
              onClick={() => void unsubscribe()}
            >
              {t('unsubscribe')}
            </PortalButton>
          </>
        )}
        {isDone && (
          <p>
            {t('isDone', { practice })} <strong className="font-semibold wrap-anywhere">{stage.address}</strong>. {t('stillGet')}{' '}
            {t('close')}
          </p>
        )}
      </Card>
    </PortalFrame>
  )
}
