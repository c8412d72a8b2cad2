import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CloudOff, Lock, Plug, Unplug } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { codeOf, messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { consumeCallback } from '../../../ui/client/callback.ts'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { PublicPage } from '../../../ui/layout/PublicPage.tsx'
import { SignedOutCallback } from '../../../ui/layout/SignedOutCallback.tsx'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Spinner } from '../../../ui/display/Spinner.tsx'
import { useCallbackOnce } from '../../../ui/client/useCallbackOnce.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { formatAdmins } from './admins.ts'
import { useConnect } from './useConnect.ts'

/** Spec 2: /qbo/callback, Intuit's redirect target. Its parameters are removed from the URL before this page renders. */
export default function CallbackPage(): ReactNode {
  const { user, loading } = useSession()
  const isAdmin = usePermission()('quickbooks.finish')
  if (loading) return <Loading />
  if (user?.status === 'active') return <PublicPage title="QuickBooks">{isAdmin ? <Finish /> : <NotYours />}</PublicPage>
  return (
    <PublicPage title="QuickBooks">
      <SignedOutCallback
        isPending={user !== null}
        outcome="QuickBooks was not connected."
        next="Sign in, and connect it again in Settings."
      />
    </PublicPage>
  )
}

function Finish() {
  const cache = useQueryClient()
  const { mutate, data, error } = useMutation(
    orpc.quickbooks.finish.mutationOptions({ onSuccess: () => cache.invalidateQueries({ queryKey: orpc.quickbooks.key() }) }),
  )
  const returned = useCallbackOnce(mutate)

  if (data) return <Connected companyName={data.companyName} />
  if (error) return <Failed error={error} />
  if (returned === 'none') {
    return (
      <Result icon={<Plug />} title="Nothing to finish here" actions={<ToSettings />}>
        Start a connection in Settings.
      </Result>
    )
  }
  if (returned === 'refused') return <Cancelled />
  return (
    <div role="status" className="my-auto flex items-center justify-center gap-2 pb-24 text-sm text-fg-2">
      <Spinner /> Connecting to QuickBooks…
    </div>
  )
}

const Connected = ({ companyName }: { companyName: string | null }) => (
  <Result icon={<CircleCheck />} title={`Connected to ${companyName ?? 'QuickBooks'}`} actions={<ToSettings filled />}>
    Its accounts, classes, tax codes, items and customers are being read. Payments can be taken in a moment.
  </Result>
)

const Cancelled = () => (
  <Result icon={<Unplug />} title="QuickBooks was not connected" actions={<Again label="Connect again" />}>
    The connection was cancelled at Intuit. Nothing was changed.
  </Result>
)

function Failed({ error }: { error: unknown }) {
  const isRefusal = codeOf(error) !== null && statusOf(error) >= 400 && statusOf(error) < 500
  const isUnavailable = codeOf(error) === 'AWAY'
  // Intuit's code works once, so a retry starts over at Intuit.
  const again = codeOf(error) === 'NOT_SET_UP' ? <ToSettings /> : <Again label={isRefusal ? 'Connect again' : 'Try again'} />
  return (
    <Result
      icon={isRefusal ? <Unplug /> : <CloudOff />}
      title={isUnavailable ? 'QuickBooks does not answer' : 'QuickBooks was not connected'}
      isAlert
      actions={again}
    >
      {isUnavailable ? 'Nothing was changed. Please try again in a moment.' : messageOf(error)}
    </Result>
  )
}

function NotYours() {
  const people = useQuery(orpc.people.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
  useEffect(() => void consumeCallback(), [])
  return (
    <Result icon={<Lock />} title="Only administrators connect QuickBooks" actions={<ToSettings />}>
      Ask {formatAdmins(people)} to do it. Nothing was changed.
    </Result>
  )
}

function Again({ label }: { label: string }) {
  const connect = useConnect()
  return (
    <>
      <Button variant="filled" busy={connect.isPending} busyLabel="Connecting…" onClick={() => connect.mutate(undefined)}>
        {label}
      </Button>
      <ToSettings />
    </>
  )
}

const ToSettings = ({ filled = false }: { filled?: boolean }) => (
  <Button asChild variant={filled ? 'filled' : 'outlined'}>
    <Link to="/settings/$section" params={{ section: 'integrations' }}>
      Go to Settings
    </Link>
  </Button>
)

interface ResultProps {
  icon: ReactNode
  title: string
  isAlert?: boolean
  actions: ReactNode
  children: ReactNode
}

function Result({ icon, title, isAlert = false, actions, children }: ResultProps) {
  return (
    <div role={isAlert ? 'alert' : 'status'} className="my-auto pb-24">
      <EmptyState icon={icon} title={title} actions={actions}>
        {children}
      </EmptyState>
    </div>
  )
}
