import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type Client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { type Clock, formatDateTime } from '../../../ui/format.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { WebhookData } from './WebhookDialog.tsx'
import { failureLabels, describeEvent } from './labels.ts'

type Delivery = Awaited<ReturnType<Client['webhooks']['deliveries']>>['data'][number]

/** Deliveries to an address, newest first; each can be resent. */
export default function Deliveries({ webhook, onClose }: { webhook: WebhookData; onClose: () => void }) {
  const clock = useClock()
  const cache = useQueryClient()
  const { list: pages, older } = usePages(orpc.webhooks.deliveries, { id: webhook.id })
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.webhooks.deliveries.key() })
  const test = useMutation(
    orpc.webhooks.test.mutationOptions({
      onSuccess: () => refresh(),
      onError: (error) => toast.error('Couldn’t send the test', messageOf(error)),
    }),
  )
  const retry = useMutation(
    orpc.webhooks.retry.mutationOptions({
      onSuccess: () => refresh(),
      onError: (error) => toast.error('Couldn’t resend it', messageOf(error)),
    }),
  )
  const deliveries = pages.data && rowsOf(pages.data)
  return (
    <SideDrawer
      title="Deliveries"
      onClose={onClose}
      footer={
        webhook.disabledAt === null && (
          <Button icon={<Send />} busy={test.isPending} busyLabel="Sending…" onClick={() => test.mutate({ id: webhook.id })}>
            Send a test
          </Button>
        )
      }
    >
      <p className="pb-3 text-sm text-fg-2 wrap-anywhere">{webhook.url}</p>
      {deliveries ? (
        deliveries.length > 0 ? (
          <>
            <ul aria-label="Deliveries" className="border-t border-line">
              {deliveries.map((delivery) => (
                <DeliveryLine
                  key={delivery.id}
                  delivery={delivery}
                  clock={clock}
                  isBusy={retry.isPending}
                  onRetry={() => retry.mutate({ id: delivery.id })}
                />
              ))}
            </ul>
            {pages.hasNextPage && (
              <Button className="mt-4" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
                Show older
              </Button>
            )}
          </>
        ) : (
          <EmptyState icon={<Send />} title="No deliveries yet">
            Events sent to this address appear here for 30 days.
          </EmptyState>
        )
      ) : pages.error ? (
        <ErrorState title="Couldn’t load the deliveries" onRetry={() => void pages.refetch()} retrying={pages.isFetching}>
          {messageOf(pages.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4 py-3">
          <Skeleton className="w-56" />
          <Skeleton className="w-48" />
          <Skeleton className="w-56" />
        </div>
      )}
    </SideDrawer>
  )
}

const badges = {
  waiting: { tone: 'neutral', label: 'Waiting' },
  delivered: { tone: 'success', label: 'Delivered' },
  failed: { tone: 'danger', label: 'Failed' },
} as const

interface DeliveryLineProps {
  delivery: Delivery
  clock: Clock
  isBusy: boolean
  onRetry: () => void
}

function DeliveryLine({ delivery, clock, isBusy, onRetry }: DeliveryLineProps) {
  const { event, subjectId, createdAt, state, attempts, status, failure, nextAttemptAt } = delivery
  const { tone, label } = badges[state]
  return (
    <li className="flex items-start gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 text-md font-medium text-fg">
          {describeEvent(event)} <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm text-fg-3 wrap-anywhere">
          {formatDateTime(createdAt, clock)} · {event} · {subjectId}
        </p>
        {failure && (
          <p className="pt-1 text-sm text-fg-2">
            {failureLabels[failure]}
            {status !== null && ` (${status})`} Tried {attempts === 1 ? 'once' : `${attempts} times`}
            {nextAttemptAt && state === 'waiting' ? `, again ${formatDateTime(nextAttemptAt, clock)}.` : '.'}
          </p>
        )}
      </div>
      {attempts > 0 && (
        <Button size="sm" disabled={isBusy} aria-label={`Resend: ${describeEvent(event)}`} onClick={onRetry}>
          Resend
        </Button>
      )}
    </li>
  )
}
