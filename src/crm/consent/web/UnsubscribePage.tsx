import { useEffect, useState } from 'react'
import { usePractice } from '../../../ui/client/session.ts'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'

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
  const { name } = usePractice()
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void lookUp().then(setStage)
  }, [])

  async function unsubscribe() {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      setStage(await request(`/u/${tokenOf()}`, { method: 'POST' }))
    } catch {
      setProblem('Couldn’t unsubscribe you. Please try again.')
    } finally {
      setBusy(false)
    }
  }

  const isDone = stage.name === 'known' && stage.isUnsubscribed
  return (
    <PortalFrame title="Unsubscribe" announcement={isDone ? 'You are unsubscribed.' : ''} narrow>
      <h1 className="text-3xl font-semibold md:text-4xl">{isDone ? 'You are unsubscribed' : 'Unsubscribe'}</h1>
      <Card className="mt-6 flex flex-col gap-5">
        {stage.name === 'loading' && (
          <div role="status" aria-label="Loading" className="flex min-h-24 flex-col gap-3">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        )}
        {stage.name === 'unknown' && <p>This link does not work. Please use the link in the most recent email from {name}, or call us.</p>}
        {stage.name === 'failed' && (
          <>
            <ErrorLine>Couldn’t load this page. Please try again.</ErrorLine>
            <PortalButton onClick={() => void lookUp().then(setStage)}>Try again</PortalButton>
          </>
        )}
        {stage.name === 'known' && !isDone && (
          <>
            <p>
              {name} will no longer send news and offers to <strong className="font-semibold wrap-anywhere">{stage.address}</strong>. You
              will still get codes, receipts and appointment reminders.
            </p>
            {problem && <ErrorLine>{problem}</ErrorLine>}
            <PortalButton
              variant="filled"
              className="self-start"
              busy={isBusy}
              busyLabel="Unsubscribing…"
              onClick={() => void unsubscribe()}
            >
              Unsubscribe
            </PortalButton>
          </>
        )}
        {isDone && (
          <p>
            {name} no longer sends news and offers to <strong className="font-semibold wrap-anywhere">{stage.address}</strong>. You will
            still get codes, receipts and appointment reminders. You can close this page.
          </p>
        )}
      </Card>
    </PortalFrame>
  )
}
