import { useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { type Clock, formatAgo, formatDue, formatLate, formatPhone, formatShortDate, formatTimeOfDay } from '../../../../web/ui/format.ts'
import { IconButton } from '../../../../web/ui/IconButton.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { usePhone } from '../../../../web/ui/useMedia.ts'
import { snoozeMinutes, usualDueTime } from '../../../tasks/rules.ts'
import { editTask } from '../../../tasks/web/embed/task-dialog.ts'
import { useCompleteTask } from '../../../tasks/web/embed/useCompleteTask.ts'
import { useClosed } from './useClosed.ts'
import type { NotificationData } from './useUnread.ts'

/** Spec 9. */
const mostPopups = 3

/** Spec 2: what is overdue, at the top right of every page, three at most. */
export default function OverduePopups({ unread }: { unread: readonly NotificationData[] }) {
  const [closed, close] = useClosed()
  // What is under way is out of sight already, and comes back if it fails.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const hide = (id: string, isHidden: boolean) =>
    setHidden((now) => {
      const next = new Set(now)
      if (isHidden) next.add(id)
      else next.delete(id)
      return next
    })
  const waiting = unread.filter(({ id, isOpen }) => isOpen && !hidden.has(id) && !closed.has(id))
  const phone = usePhone()
  const shown = waiting.slice(0, phone ? 1 : mostPopups)
  if (shown.length === 0) return null

  return (
    // Below what opens over the page: whoever is at work in a dialog goes on.
    <section
      aria-label="Overdue tasks"
      className="pointer-events-none absolute top-16 right-4 z-(--z-notice) w-100 max-w-[calc(100%-2rem)] md:top-15"
    >
      <ul aria-live="polite" className="flex flex-col gap-2">
        {shown.map((notification) => (
          <Popup
            key={notification.id}
            notification={notification}
            onHide={(isHidden) => hide(notification.id, isHidden)}
            onClose={() => close([notification.id])}
          />
        ))}
      </ul>
      {waiting.length > 1 && (
        <div className="flex justify-end pt-2">
          <Button size="sm" onClick={() => close(waiting.map(({ id }) => id))} className="pointer-events-auto shadow-md">
            {waiting.length > shown.length ? `Close all ${waiting.length}` : 'Close all'}
          </Button>
        </div>
      )}
    </section>
  )
}

interface PopupProps {
  notification: NotificationData
  onHide: (isHidden: boolean) => void
  onClose: () => void
}

function Popup({ notification, onHide, onClose }: PopupProps) {
  const clock = useClock()
  const cache = useQueryClient()
  const complete = useCompleteTask()
  const { id, taskId, dueAt, metadata } = notification
  const { task_title: title, due_time_constraint: time, contact_name: name, contact_phone: phone } = metadata

  async function act(deed: () => Promise<unknown>, failed: string) {
    onHide(true)
    try {
      await deed()
      void cache.invalidateQueries({ queryKey: orpc.tasks.key() })
      await cache.invalidateQueries({ queryKey: orpc.notifications.key() })
    } catch (error) {
      toast.error(failed, messageOf(error))
    }
    // It is read by now, or it failed; and should it be unread again, it is to be seen again.
    onHide(false)
  }

  return (
    <li className="pointer-events-auto animate-menu rounded-lg bg-raised py-3 pr-2 pl-4 text-sm shadow-md" aria-label={`Overdue: ${title}`}>
      <div className="flex items-start gap-2">
        <button
          type="button"
          onClick={() => editTask(taskId)}
          className="min-w-0 flex-1 truncate rounded-xs py-1 text-left font-medium text-fg hover:underline"
        >
          {title}
        </button>
        <IconButton label="Close" icon={<X />} size="sm" tooltipSide="left" onClick={onClose} />
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
      <div className="flex gap-1 pt-2">
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
        <Button
          size="sm"
          variant="quiet"
          onClick={() => void act(() => client.tasks.snooze({ id: taskId, minutes: snoozeMinutes }), 'The task was not snoozed')}
        >
          Snooze 15min
        </Button>
        <Button
          size="sm"
          variant="quiet"
          onClick={() => void act(() => client.notifications.read({ id }), 'The reminder was not dismissed')}
        >
          Dismiss
        </Button>
      </div>
    </li>
  )
}

/** 'Due 9:00 a.m., 3 h ago', 'Due Nov 13, 8 days late' */
function whenDue(dueAt: string, time: string | null, clock: Clock): string {
  const isToday = formatDue(dueAt, clock).startsWith('Today')
  return isToday
    ? `Due ${formatTimeOfDay(time ?? usualDueTime)}, ${formatAgo(dueAt, clock).toLowerCase()}`
    : `Due ${formatShortDate(dueAt, clock)}, ${formatLate(dueAt, clock)}`
}
