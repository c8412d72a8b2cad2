import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { CloudOff, Plug, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { codeOf, messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { PublicPage } from '../../../ui/layout/PublicPage.tsx'
import { SignedOutCallback } from '../../../ui/layout/SignedOutCallback.tsx'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Spinner } from '../../../ui/display/Spinner.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useCallbackOnce } from '../../../ui/client/useCallbackOnce.ts'
import type { MailProvider } from '../rules.ts'
import { useConnect } from './connection.ts'

/**
 * Spec 2: the page that a mail provider redirects to. The router removes the provider's parameters from the URL before this page renders.
 */
export default function CallbackPage(): ReactNode {
  const { user, loading } = useSession()
  const provider = useRouterState({ select: ({ location }) => (/^\/auth\/gmail/i.test(location.pathname) ? 'gmail' : 'nylas') })
  if (loading) return <Loading />
  return (
    <PublicPage title="Email">
      {user?.status === 'active' ? (
        <Finish provider={provider} />
      ) : (
        <SignedOutCallback
          isPending={user !== null}
          outcome="No mailbox was connected."
          next="Sign in, and connect it again on the Email page."
        />
      )}
    </PublicPage>
  )
}

function Finish({ provider }: { provider: MailProvider }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { mutate, error, isSuccess } = useMutation(
    orpc.mailbox.finish.mutationOptions({
      onSuccess: (connection) => {
        cache.removeQueries({ queryKey: orpc.mailbox.key() })
        cache.setQueryData(orpc.mailbox.connection.queryKey(), connection)
        toast.success('Your mailbox is connected', connection.email ?? undefined)
        void navigate({ to: '/email', replace: true })
      },
    }),
  )
  const returned = useCallbackOnce(({ code, state }) => mutate({ provider, code, state }))

  if (error) return <Failed error={error} provider={provider} />
  if (returned === 'none' && !isSuccess) {
    return (
      <CallbackMessage icon={<Plug />} title="Nothing to finish here" actions={<ToEmail />}>
        Mailboxes are connected on the page Email.
      </CallbackMessage>
    )
  }
  if (returned === 'refused') {
    return (
      <CallbackMessage
        icon={<Unplug />}
        title="Your mailbox was not connected"
        actions={<Again provider={provider} label="Connect again" />}
      >
        It was cancelled, or not allowed, at your provider. Nothing was changed.
      </CallbackMessage>
    )
  }
  return (
    <div role="status" className="my-auto flex items-center justify-center gap-2 pb-24 text-sm text-fg-2">
      <Spinner /> Connecting your mailbox…
    </div>
  )
}

function Failed({ error, provider }: { error: unknown; provider: MailProvider }) {
  const code = codeOf(error)
  const isUnavailable = code === 'AWAY' || statusOf(error) === 0 || statusOf(error) >= 500
  // What a provider sends can be used once, so trying again begins at the provider.
  return (
    <CallbackMessage
      icon={isUnavailable ? <CloudOff /> : <Unplug />}
      title={code === 'AWAY' ? 'Your provider does not answer' : 'Your mailbox was not connected'}
      isAlert
      actions={code === 'NOT_SET_UP' ? <ToEmail /> : <Again provider={provider} label={isUnavailable ? 'Try again' : 'Connect again'} />}
    >
      {code === 'AWAY' ? 'Nothing was changed. Please try again in a moment.' : messageOf(error)}
    </CallbackMessage>
  )
}

function Again({ provider, label }: { provider: MailProvider; label: string }) {
  const { connect, going } = useConnect()
  return (
    <>
      <Button variant="filled" busy={going !== null} busyLabel="Connecting…" onClick={() => connect(provider)}>
        {label}
      </Button>
      <ToEmail />
    </>
  )
}

const ToEmail = () => (
  <Button asChild>
    <Link to="/email">Go to Email</Link>
  </Button>
)

interface SaidProps {
  icon: ReactNode
  title: string
  isAlert?: boolean
  actions: ReactNode
  children: ReactNode
}

function CallbackMessage({ icon, title, isAlert = false, actions, children }: SaidProps) {
  return (
    <div role={isAlert ? 'alert' : 'status'} className="my-auto pb-24">
      <EmptyState icon={icon} title={title} actions={actions}>
        {children}
      </EmptyState>
    </div>
  )
}
