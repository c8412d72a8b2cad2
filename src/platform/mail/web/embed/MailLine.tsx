import type { ReactNode } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatAge, formatDateTime } from '../../../../ui/format.ts'
import { CountBadge } from '../../../../ui/display/CountBadge.tsx'

/** In px; rows have equal height, so that only visible ones are rendered. */
export const lineHeight = 80

/** What a row shows of an email or a conversation. */
interface MailSummary {
  id: string
  who: string
  subject: string
  snippet: ReactNode
  at: string
  /** Attachment count, or whether there are any. */
  unread: number | boolean
  marks?: ReactNode
}

interface MailLineProps {
  email: MailSummary
  isOpen: boolean
  isCurrent: boolean
  clock: Clock
  /** Reserves space on the right for overlaid actions. */
  hasAction?: boolean
  onOpen: () => void
}

/** A row in an email list: sender, subject and preview. Unread emails are bold. */
export function MailLine({ email, isOpen, isCurrent, clock, hasAction, onOpen }: MailLineProps) {
  const { id, who, subject, snippet, at, unread, marks } = email
  const isUnread = unread === true || Number(unread) > 0
  return (
    <div
      data-row={id}
      className={cn(
        'relative h-full border-b border-line',
        isOpen ? 'bg-selected' : 'hover:bg-hover',
        (isCurrent || isOpen) && 'before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
      )}
    >
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        className={cn('flex size-full flex-col justify-center gap-0.5 pl-4 text-left outline-offset-[-2px]', hasAction ? 'pr-13' : 'pr-4')}
      >
        <span className="flex w-full items-center gap-2">
          <span className={cn('min-w-0 flex-1 truncate text-sm text-fg', isUnread ? 'font-semibold' : 'font-medium')}>{who}</span>
          {unread === true ? (
            <span className="size-2 flex-none rounded-full bg-accent">
              <span className="sr-only">unread</span>
            </span>
          ) : (
            <CountBadge count={Number(unread)} label="unread" />
          )}
          <span className="flex-none text-xs text-fg-3 tabular-nums" title={formatDateTime(at, clock)}>
            {formatAge(at, clock)}
          </span>
        </span>
        <span className={cn('w-full truncate text-xs', isUnread ? 'font-medium text-fg' : 'text-fg-2')}>{subject}</span>
        <span className="flex w-full items-center gap-1.5 text-xs text-fg-3 [&>svg]:size-3.5 [&>svg]:flex-none">
          {marks}
          <span className="truncate">{snippet}</span>
        </span>
      </button>
    </div>
  )
}
