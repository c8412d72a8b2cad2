import { useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import {
  type Clock,
  formatAgoInSentence,
  formatCount,
  formatDue,
  formatLate,
  formatPhone,
  formatShortDate,
  formatTimeOfDay,
} from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { snoozeMinutes, defaultDueTime } from '../../../tasks/rules.ts'
import { formatSnooze } from '../../../tasks/web/embed/snooze.ts'
import { editTask } from '../../../tasks/web/embed/task-dialog.ts'
import { useCompleteTask } from '../../../tasks/web/embed/useCompleteTask.ts'
import { useClosed } from './useClosed.ts'
import { usePopupStack } from './usePopupStack.ts'
import type { NotificationData } from './useUnread.ts'

/** The limit in spec 9. */
const maxPopups = 3

/** Reminders of overdue tasks at the top right of every page (spec 2): the newest in full, the others as edges behind it, three at most. */
export default function OverduePopups({ unread }: { unread: readonly NotificationData[] }) {
  const [closed, close] = useClosed()
  // Reminders with a running action are hidden, and shown again if it fails.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const hide = (id: string, isHidden: boolean) =>
    setHidden((now) => {
      const next = new Set(now)
      if (isHidden) next.add(id)
      else next.delete(id)
      return next
    })
  const visible = unread.filter(({ id, isOpen }) => isOpen && !hidden.has(id) && !closed.has(id))
  const [first, ...others] = visible
  if (!first) return null
  return (
    <Stack
      first={first}
      edges={others.slice(0, maxPopups - 1)}
      total={visible.length}
      onHide={hide}
      onClose={() => close([first.id])}
      onCollapse={() => close(visible.map(({ id }) => id))}
    />
  )
}

interface StackProps {
  first: NotificationData
  edges: readonly NotificationData[]
  /** The number of unread reminders of open tasks. */
  total: number
  onHide: (id: string, isHidden: boolean) => void
  onClose: () => void
  onCollapse: () => void
}

function Stack({ first, edges, total, onHide, onClose, onCollapse }: StackProps) {
  const { stack, hidesButtons } = usePopupStack(first.id, onCollapse)
  return (
    // Below dialogs, so that a reminder does not interrupt work in one.
    <section
      ref={stack}
      aria-label="Reminders of overdue tasks"
      className="absolute top-16 right-4 z-(--z-notice) w-100 max-w-[calc(100%-2rem)] md:top-15"
    >
      <ul aria-live="polite">
        <Popup
          key={first.id}
          notification={first}
          total={total}
          hidesButtons={hidesButtons}
          onHide={(isHidden) => onHide(first.id, isHidden)}
          onClose={onClose}
        />
        {edges.map(({ id, metadata }, index) => (
          <li
            key={id}
            aria-label={`Overdue: ${metadata.task_title}`}
            className={`h-2 rounded-b-lg border border-t-0 border-line bg-raised shadow-md ${index === 0 ? 'mx-3' : 'mx-6'}`}
          >
            <span className="sr-only">{metadata.task_title}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface PopupProps {
  notification: NotificationData
  /** The number of reminders in the stack. */
  total: number
  /** Hides the buttons if they would cover controls of the page. */
  hidesButtons: boolean
  onHide: (isHidden: boolean) => void
  onClose: () => void
}

function Popup({ notification, total, hidesButtons, onHide, onClose }: PopupProps) {
  const clock = useClock()
  const cache = useQueryClient()
  const complete = useCompleteTask()
  const { id, taskId, dueAt, metadata } = notification
  const { task_title: title, due_time_constraint: time, contact_name: name, contact_phone: phone } = metadata

  async function runAction(action: () => Promise<unknown>, failed: string) {
    onHide(true)
    try {
      await action()
      void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
      await cache.invalidateQueries({ queryKey: orpc.notifications.key() })
    } catch (error) {
      toast.error(failed, messageOf(error))
    }
    // By now it is read, or the action failed. Unhide it, so that it appears again if it becomes unread.
    onHide(false)
  }

  async function snooze() {
    const task = await client.tasks.snooze({ id: taskId, minutes: snoozeMinutes })
    toast.success(formatSnooze(task.snoozedUntil ?? task.dueAt, clock), title)
  }

  return (
    <li className="animate-menu rounded-lg bg-raised py-3 pr-2 pl-4 text-sm shadow-md" aria-label={`Overdue: ${title}`}>
      <div className="flex items-start gap-2">
        <button
          type="button"
          onClick={() => editTask(taskId)}
          className={cn(
            'min-w-0 truncate rounded-xs py-1 text-left font-medium text-fg hover:underline',
            hidesButtons && 'pointer-events-none',
          )}
        >
          {title}
        </button>
        {total > 1 && <span className="flex-none py-1 text-xs leading-5 text-fg-3 tabular-nums">1 of {formatCount(total)}</span>}
        <IconButton
          label="Close"
          icon={<X />}
          size="sm"
          tooltipSide="left"
          onClick={onClose}
          className={cn('ml-auto', hidesButtons && 'invisible')}
        />
      </div>
      <p className="truncate pr-2 text-xs">
        <span className="font-medium text-danger-fg">{whenDue(dueAt, time, clock)}</span>
        {name !== null && (
          <span className="text-fg-2">
            {' '}
            · {name}
            {phone !== null && `, ${formatPhone(phone)}`}
          </span>
        )}
      </p>
      {hidesButtons && <p className="absolute pt-2 text-xs leading-7 text-fg-3">You can find it under the bell.</p>}
      <div className={cn('flex flex-wrap gap-1 pt-2', hidesButtons && 'invisible')}>
        <Button
          size="sm"
          icon={<Check />}
          onClick={async () => {
            onHide(true)
            if (!(await complete({ id: taskId, title }))) onHide(false)
          }}
        >
          Complete
        </Button>
        <Button size="sm" variant="quiet" onClick={() => void runAction(snooze, 'Couldn’t snooze the task')}>
          Snooze 15min
        </Button>
        <Button
          size="sm"
          variant="quiet"
          onClick={() => void runAction(() => client.notifications.read({ id }), 'Couldn’t dismiss the reminder')}
        >
          Dismiss
        </Button>
        {total > 1 && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => void runAction(() => client.notifications.readAll(), 'Couldn’t dismiss the reminders')}
          >
            Dismiss all ({formatCount(total)})
          </Button>
        )}
      </div>
    </li>
  )
}

/** 'Due 9:00 a.m., 3 h ago', 'Due Nov 13, 8 days late' */
function whenDue(dueAt: string, time: string | null, clock: Clock): string {
  const isToday = formatDue(dueAt, clock).startsWith('Today')
  return isToday
    ? `Due ${formatTimeOfDay(time ?? defaultDueTime)}, ${formatAgoInSentence(dueAt, clock)}`
    : `Due ${formatShortDate(dueAt, clock)}, ${formatLate(dueAt, clock)}`
}
