import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { ORPCError } from '@orpc/client'
import { codeOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { connectLabels, useConnect } from './connection.ts'
import type { Connection } from './mailbox-data.ts'
import { useTrouble } from './useMailbox.ts'

/** The provider no longer accepts the connection; loaded email stays below. */
export function Reconnect({ connection: { provider, email, offers } }: { connection: Connection }) {
  const { connect, going } = useConnect()
  // The current provider, unless it is no longer available here.
  const by = provider !== null && offers.includes(provider) ? [provider] : offers
  return (
    <Alert
      tone="danger"
      title="Your provider no longer accepts the connection."
      className="mx-4 my-3 flex-none"
      action={
        <>
          <HelpLink to="email#if-your-mailbox-does-not-connect">Why this happens</HelpLink>
          {by.map((offer) => (
            <Button key={offer} busy={going === offer} busyLabel="Connecting…" disabled={going !== null} onClick={() => connect(offer)}>
              {by.length === 1 ? 'Connect again' : connectLabels[offer]}
            </Button>
          ))}
        </>
      }
    >
      {email && `${email} has to be connected again. `}
      {by.length === 0 ? 'An administrator has to set Email up first.' : 'What was loaded stays here, and so do your drafts.'}
    </Alert>
  )
}

/** Seconds, when the provider names no delay. */
const defaultRetrySeconds = 30

/** The provider is unavailable or limits requests: it is retried automatically, and loaded email stays. */
export function Trouble() {
  const cache = useQueryClient()
  const trouble = useTrouble()
  const [isTrying, setTrying] = useState(false)
  const at = trouble?.at ?? null
  const wait = trouble ? waitAfter(trouble.error) : defaultRetrySeconds

  const tryAgain = useCallback(() => {
    setTrying(true)
    void cache
      .refetchQueries({ queryKey: orpc.mailbox.key(), type: 'active', predicate: ({ state }) => state.status === 'error' })
      .finally(() => setTrying(false))
  }, [cache])

  useEffect(() => {
    if (at === null) return
    const timer = setTimeout(tryAgain, Math.max(0, at + wait * 1000 - Date.now()))
    return () => clearTimeout(timer)
  }, [at, wait, tryAgain])

  if (!trouble?.hasData) return null
  return (
    <Alert
      tone="warning"
      title={titleOf(trouble.error)}
      className="mx-4 my-3 flex-none"
      action={
        <Button size="sm" busy={isTrying} busyLabel="Trying…" onClick={tryAgain}>
          Try again
        </Button>
      }
    >
      What was loaded stays here. It is tried again by itself in {wait} seconds.
    </Alert>
  )
}

function waitAfter(error: Error): number {
  const data: unknown = error instanceof ORPCError ? error.data : null
  const seconds = typeof data === 'object' && data !== null && 'retryAfter' in data ? data.retryAfter : null
  return typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds), 600) : defaultRetrySeconds
}

function titleOf(error: Error): string {
  if (codeOf(error) === 'BUSY') return 'Your mailbox is limiting requests.'
  if (codeOf(error) === 'AWAY') return 'Your mailbox does not answer.'
  return statusOf(error) === 0 ? 'The connection was lost.' : 'Couldn’t load your email.'
}
