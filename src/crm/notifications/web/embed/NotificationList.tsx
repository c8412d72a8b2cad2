import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatAgo, formatDateTime, formatDue } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { editTask } from '../../../tasks/web/embed/task-dialog.ts'
import { formatSnooze, isSnoozed } from '../../../tasks/web/embed/snooze.ts'
import { EmailPreference } from './EmailPreference.tsx'
import type { NotificationData } from './useUnread.ts'

/** The user's notifications and the switch for emails about tasks. `onLeave` is called when something else opens. */
export default function NotificationList({ onLeave }: { onLeave: () => void }) {
  const cache = useQueryClient()
  const { list: pages, older } = usePages(orpc.notifications.list, {}, { staleTime: 0 })
  const all = rowsOf(pages.data)
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.notifications.key() })
  const readAll = useMutation(
    orpc.notifications.readAll.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toast.error('Couldn’t mark all as read', messageOf(error)),
    }),
  )
  async function mark({ id, readAt }: NotificationData) {
    try {
      await (readAt === null ? client.notifications.read({ id }) : client.notifications.markUnread({ id }))
    } catch (error) {
      toast.error('Couldn’t change the notification', messageOf(error))
    }
    refresh()
  }

  return (
    <div className="flex max-h-[min(36rem,calc(100dvh-6rem))] flex-col">
      <div className="flex min-h-11 flex-none items-center justify-between border-b border-line pr-2 pl-4">
        <h2 className="text-md font-semibold">Notifications</h2>
        {all.some(({ readAt }) => readAt === null) && (
          <Button size="sm" variant="quiet" busy={readAll.isPending} onClick={() => readAll.mutate(undefined)}>
            Mark all as read
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {pages.error && !pages.data ? (
          <ErrorState
            title="Couldn’t load notifications"
            onRetry={() => void pages.refetch()}
            retrying={pages.isFetching}
            className="py-6"
          />
        ) : pages.isPending ? (
          <div className="flex flex-col gap-4 p-4">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        ) : all.length === 0 ? (
          <EmptyState icon={<Bell />} title="No notifications yet" className="py-6">
            Overdue tasks will appear here.
          </EmptyState>
        ) : (
          <ul aria-label="Notifications">
            {all.map((notification) => (
              <Line
                key={notification.id}
                notification={notification}
                onMark={() => void mark(notification)}
                onOpen={() => {
                  onLeave()
                  editTask(notification.taskId)
                  if (notification.readAt === null) void mark(notification)
                }}
              />
            ))}
            {pages.hasNextPage && (
              <li className="p-2 text-center">
                <Button size="sm" variant="quiet" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
                  Show earlier
                </Button>
              </li>
            )}
          </ul>
        )}
      </div>
      <div className="flex-none border-t border-line px-4 py-3 empty:hidden">
        <EmailPreference />
      </div>
    </div>
  )
}

interface LineProps {
  notification: NotificationData
  onMark: () => void
  onOpen: () => void
}

function Line({ notification, onMark, onOpen }: LineProps) {
  const clock = useClock()
  const { metadata, readAt, createdAt, dueAt, snoozedUntil, isOpen } = notification
  const isPaused = isOpen && isSnoozed(snoozedUntil, clock)
  const isUnread = readAt === null
  const markLabel = isUnread ? 'Mark as read' : 'Mark as unread'
  return (
    <li className="flex items-start gap-1 border-b border-line pr-2 last:border-b-0 hover:bg-hover">
      <button type="button" onClick={onOpen} className="min-w-0 flex-1 py-2.5 pl-4 text-left outline-offset-[-2px]">
        <span className={cn('block truncate text-sm', isUnread ? 'font-medium text-fg' : 'text-fg-2')}>{metadata.task_title}</span>
        <span className="block truncate text-xs text-fg-3" title={formatDateTime(createdAt, clock)}>
          <span className={isOpen && !isPaused ? 'text-danger-fg' : ''}>
            {isPaused
              ? formatSnooze(snoozedUntil, clock)
              : isOpen
                ? `Due ${formatDue(dueAt, clock).replace(/^(Today|Yesterday)/, (day) => day.toLowerCase())}`
                : 'Done'}
          </span>
          {metadata.contact_name !== null && ` · ${metadata.contact_name}`} · {formatAgo(createdAt, clock)}
        </span>
      </button>
      <button
        type="button"
        aria-label={`${markLabel}: ${metadata.task_title}`}
        title={markLabel}
        onClick={onMark}
        className="relative mt-1.5 flex size-9 flex-none items-center justify-center rounded-sm touch-target hover:bg-active md:size-7"
      >
        <span className={cn('size-2 rounded-full', isUnread ? 'bg-accent' : 'border border-line-control')} />
      </button>
    </li>
  )
}
