import { useEffect, useState } from 'react'
import { readCallbackSearch, storeCallback } from '../../../ui/client/callback.ts'
import { codeOf, messageOf, statusOf } from '../../../ui/client/refusal.ts'
import { enterAs, usePractice, useSession } from '../../../ui/client/session.ts'
import { useCallbackOnce } from '../../../ui/client/useCallbackOnce.ts'
import { Spinner } from '../../../ui/display/Spinner.tsx'
import { AuthFrame, inlineLink } from './AuthFrame.tsx'
import { provenChannel } from './link.ts'
import { loadCalls } from './load.ts'
import SecondStepForm from './SecondStepForm.tsx'
import { SsoButton } from './SsoButton.tsx'

// Before anything is rendered or requested: no history, log or other page sees the code that the provider sent.
if (storeCallback(readCallbackSearch(Object.fromEntries(new URLSearchParams(location.search))))) {
  history.replaceState(history.state, '', location.pathname)
}

type State = { step: 'finishing' } | { step: 'second-step' } | { step: 'proven' } | { step: 'failed'; title: string; message: string }

const failed = (error: unknown): State => ({
  step: 'failed',
  title: codeOf(error) === 'PROVIDER_UNAVAILABLE' || statusOf(error) === 0 ? 'Your provider does not respond' : 'You were not signed in',
  message: messageOf(error),
})

/** The page that the sign-in provider redirects to. */
export default function SsoCallbackPage() {
  const { session } = useSession()
  const { sso } = usePractice()
  const [state, setState] = useState<State>({ step: 'finishing' })
  const returned = useCallbackOnce(({ code, state: attempt, iss }) => void finish({ code, state: attempt, ...(iss && { iss }) }))

  async function finish(callback: { code: string; state: string; iss?: string }) {
    try {
      const { client } = await loadCalls()
      const user = await client.auth.finishSso(callback)
      if ('isProven' in user) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only one origin
        new BroadcastChannel(provenChannel).postMessage('proven')
        setState({ step: 'proven' })
        window.close()
      } else if ('secondStep' in user) setState({ step: 'second-step' })
      else enterAs(user)
    } catch (error) {
      setState(failed(error))
    }
  }

  // A reload, or an address that someone typed: there is nothing to finish.
  useEffect(() => {
    if (returned === 'none' && state.step === 'finishing' && session) location.replace('/auth')
  }, [returned, state.step, session])

  if (state.step === 'second-step') {
    return (
      <AuthFrame title="One more step">
        <SecondStepForm onOver={() => location.replace('/auth')} />
      </AuthFrame>
    )
  }
  if (state.step === 'proven') {
    return (
      <AuthFrame title="Confirmed" lead="You can close this tab and continue in the other one.">
        {null}
      </AuthFrame>
    )
  }
  if (returned === 'refused' || state.step === 'failed') {
    const isFailed = state.step === 'failed'
    return (
      <AuthFrame
        title={isFailed ? state.title : 'You were not signed in'}
        lead={isFailed ? state.message : 'You went back, or your provider did not let you in. Nothing was changed.'}
        footer={
          <a href="/auth" className={inlineLink}>
            Back to sign-in
          </a>
        }
      >
        <SsoButton name={sso?.name ?? 'single sign-on'} label="Try again" />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Signing you in">
      <div role="status" className="flex items-center gap-2 text-sm text-fg-2">
        <Spinner /> One moment…
      </div>
    </AuthFrame>
  )
}
