import { Bell } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { CountBadge } from '../../../../ui/display/CountBadge.tsx'
import { iconButtonStyle } from '../../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'

const NotificationList = lazyDialog(
  () => import('./NotificationList.tsx'),
  ({ onLeave }) => onLeave(),
)

/** The bell in the header, which opens the list of notifications. */
export function NotificationBell({ total, className }: { total: number; className?: string }) {
  const [open, setOpen] = useState(false)
  const label = total > 0 ? `Notifications, ${total} unread` : 'Notifications'
  return (
    <Popover
      label="Notifications"
      align="end"
      className="w-100 p-0"
      control={{ open, onOpenChange: setOpen }}
      trigger={
        <button type="button" aria-label={label} title="Notifications" className={cn(iconButtonStyle(), className)}>
          <Bell />
          <span aria-hidden="true">
            <CountBadge count={total} label="unread" className="absolute -top-1 -right-1.5" />
          </span>
        </button>
      }
    >
      <NotificationList onLeave={() => setOpen(false)} />
    </Popover>
  )
}
