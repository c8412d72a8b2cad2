import { useEffect, useState } from 'react'
import { usePractice } from '../../../ui/client/session.ts'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { Card, ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'

type Mailing = { address: string; isUnsubscribed: boolean }
type Stage = { name: 'loading' } | { name: 'unknown' } | { name: 'lost' } | ({ name: 'known' } & Mailing)

const patience = 30_000
const tokenOf = (): string => location.pathname.split('/')[2] ?? ''

async function ask(path: string, init: RequestInit = {}): Promise<Stage> {
  const headers = { accept: 'application/json' }
  const response = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(patience) })
  if (response.ok) return { name: 'known', ...((await response.json()) as Mailing) }
  if (response.status === 404 || response.status === 422) return { name: 'unknown' }
  throw new Error(`The link answered ${response.status}`)
}

const lookUp = (): Promise<Stage> => ask(`/api/unsubscribe/${tokenOf()}`).catch((): Stage => ({ name: 'lost' }))

/** Spec 2's pages know no such: the link of a commercial email. Opening it changes nothing, as programs open links too. */
export default function UnsubscribePage() {
  const { name } = usePractice()
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void lookUp().then(setStage)
  }, [])

  async function leave() {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      setStage(await ask(`/u/${tokenOf()}`, { method: 'POST' }))
    } catch {
      setProblem('That did not work. Please try again.')
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
        {stage.name === 'unknown' && <p>This link does not work. Please use the link in the newest email from {name}, or call us.</p>}
        {stage.name === 'lost' && (
          <>
            <ErrorLine>Couldn’t load this page. Please try again.</ErrorLine>
            <PortalButton onClick={() => void lookUp().then(setStage)}>Try again</PortalButton>
          </>
        )}
        {stage.name === 'known' && !isDone && (
          <>
            <p>
              {name} will not send news and offers to <strong className="font-semibold wrap-anywhere">{stage.address}</strong> any more.
              Codes, receipts and reminders of your appointments still reach you.
            </p>
            {problem && <ErrorLine>{problem}</ErrorLine>}
            <PortalButton variant="filled" className="self-start" busy={isBusy} busyLabel="Unsubscribing..." onClick={() => void leave()}>
              Unsubscribe
            </PortalButton>
          </>
        )}
        {isDone && (
          <p>
            {name} sends no news and offers to <strong className="font-semibold wrap-anywhere">{stage.address}</strong> any more. Codes,
            receipts and reminders of your appointments still reach you. You can close this page.
          </p>
        )}
      </Card>
    </PortalFrame>
  )
}
