import { Paperclip, Reply } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../../../web/ui/cn.ts'
import { type Clock, formatAge, formatDateTime } from '../../../../web/ui/format.ts'
import { CountBadge } from '../../../../web/ui/CountBadge.tsx'
import type { ConversationRow } from '../inbox-data.ts'
import { whoOf } from '../inbox-data.ts'

/** In px; rows are equally high, so that only those in sight are drawn. */
export const lineHeight = 80

interface LineProps {
  id: string
  who: string
  subject: string
  snippet: ReactNode
  at: string
  unread: number
  isOpen: boolean
  isCurrent: boolean
  clock: Clock
  marks?: ReactNode
  /** Room at the right for what stands over the line. */
  hasAction?: boolean
  onOpen: () => void
}

/** Who, about what, and how it begins; what nobody has read is bold and counted. */
export function Line({ id, who, subject, snippet, at, unread, isOpen, isCurrent, clock, marks, hasAction, onOpen }: LineProps) {
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
          <span className={cn('min-w-0 flex-1 truncate text-sm text-fg', unread > 0 ? 'font-semibold' : 'font-medium')}>{who}</span>
          <CountBadge count={unread} label="unread" />
          <span className="flex-none text-xs text-fg-3 tabular-nums" title={formatDateTime(at, clock)}>
            {formatAge(at, clock)}
          </span>
        </span>
        <span className={cn('w-full truncate text-xs', unread > 0 ? 'font-medium text-fg' : 'text-fg-2')}>{subject}</span>
        <span className="flex w-full items-center gap-1.5 text-xs text-fg-3 [&>svg]:size-3.5 [&>svg]:flex-none">
          {marks}
          <span className="truncate">{snippet}</span>
        </span>
      </button>
    </div>
  )
}

interface ConversationLineProps {
  row: ConversationRow
  isOpen: boolean
  isCurrent: boolean
  clock: Clock
  onOpen: () => void
}

export function ConversationLine({ row, ...rest }: ConversationLineProps) {
  return (
    <Line
      {...rest}
      id={row.id}
      who={whoOf(row)}
      subject={row.subject}
      snippet={row.snippet || 'No words'}
      at={row.lastMessageAt}
      unread={row.unreadCount}
      marks={
        <>
          {row.contact === null && <span className="flex-none text-warning-fg">Unknown sender ·</span>}
          {row.lastDirection === 'outbound' && <Reply aria-label="Answered" />}
          {row.hasAttachments && <Paperclip aria-label="With attachments" />}
        </>
      }
    />
  )
}
