import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatAgoInSentence, formatDateTime } from '../../../../ui/format.ts'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

/** The user's active sessions. */
export function SessionsCard() {
  const clock = useClock()
  const cache = useQueryClient()
  const sessions = useQuery(orpc.account.sessions.queryOptions({ staleTime: 0 }))
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.account.sessions.key() })
  const end = useMutation(
    orpc.account.endSession.mutationOptions({
      onSuccess: () => toast.success('Signed out there'),
      onError: (error) => toast.error('That session is still active', messageOf(error)),
      onSettled: refresh,
    }),
  )
  const endOthers = useMutation(
    orpc.account.endOtherSessions.mutationOptions({
      onSuccess: () => toast.success('Signed out everywhere else'),
      onError: (error) => toast.error('The other sessions are still active', messageOf(error)),
      onSettled: refresh,
    }),
  )
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  return (
    <Section
      id="sessions"
      title="Active sessions"
      actions={
        others > 0 && (
          <Button busy={endOthers.isPending} busyLabel="Signing out…" onClick={() => endOthers.mutate(undefined)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Asked query={sessions} failed="Couldn’t load your sessions">
        {(lines) => (
          <ul aria-label="Sessions" className="pt-2">
            {lines.map(({ id, device, address, createdAt, seenAt, isCurrent }) => (
              <li key={id} className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-b-0">
                <span aria-hidden="true" className="flex-none text-fg-3 [&_svg]:size-5">
                  {/iPhone|Android/.test(device) ? <Smartphone /> : <Monitor />}
                </span>
                <span className="min-w-0 flex-1">
                  <span className="flex flex-wrap items-center gap-x-2 text-md font-medium text-fg">
                    {device}
                    {isCurrent && <Badge tone="accent">This device</Badge>}
                  </span>
                  <span className="block text-sm text-fg-3" title={`Signed in on ${formatDateTime(createdAt, clock)}`}>
                    {[address, isCurrent ? 'active now' : `last used ${formatAgoInSentence(seenAt, clock)}`].filter(Boolean).join(' · ')}
                  </span>
                </span>
                {!isCurrent && (
                  <Button
                    size="sm"
                    aria-label={`Sign out: ${device}`}
                    busy={end.isPending && end.variables.id === id}
                    busyLabel="Signing out…"
                    onClick={() => end.mutate({ id })}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </Section>
  )
}
