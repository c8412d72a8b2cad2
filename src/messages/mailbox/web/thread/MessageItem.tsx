import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { type Clock, formatDateTime, formatDue } from '../../../../ui/format.ts'
import { useInView } from '../../../../ui/hooks/useInView.ts'
import { AttachmentLines } from '../../../../platform/mail/web/embed/AttachmentLines.tsx'
import { MailBody } from '../../../../platform/mail/web/embed/MailBody.tsx'
import type { Person } from '../../rules.ts'
import { type MessageData, nameOf, namesOf } from '../mailbox-data.ts'

interface MessageItemProps {
  message: MessageData
  own: string
  clock: Clock
  isLast: boolean
  /** Marked as read once it was shown. */
  isToRead: boolean
  onSeen: () => void
}

/** An email. Earlier read ones are collapsed to one line. */
export function MessageItem({ message, own, clock, isLast, isToRead, onSeen }: MessageItemProps) {
  const { isUnread, isSent, from, date } = message
  const [isOpen, setOpen] = useState(isLast || isUnread)
  const [element, setElement] = useState<HTMLElement | null>(null)
  useInView(element, isToRead && isOpen, onSeen)
  const address = `/api/mailbox/messages/${encodeURIComponent(message.id)}`
  const Chevron = isOpen ? ChevronDown : ChevronRight

  return (
    <li
      ref={setElement}
      data-unread={isUnread || undefined}
      className={cn(
        'rounded-md border',
        isSent ? 'border-line bg-subtle' : 'border-line-2 bg-surface',
        isUnread && 'border-l-2 border-l-accent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full flex-wrap items-center gap-x-2 gap-y-0.5 rounded-md px-3 py-2 text-left text-sm outline-offset-[-2px] md:px-4"
      >
        <Chevron aria-hidden="true" className="size-3.5! text-fg-3" />
        <span className={cn('min-w-0 truncate text-fg', isUnread ? 'font-semibold' : 'font-medium')}>
          {isSent ? 'Me' : from ? nameOf(from) : 'No sender'}
        </span>
        {isUnread && <Badge tone="accent">Unread</Badge>}
        <span className="ml-auto flex-none text-xs text-fg-3 tabular-nums" title={formatDateTime(date, clock)}>
          {formatDue(date, clock)}
        </span>
        {!isOpen && <span className="w-full truncate pl-5.5 text-xs text-fg-3">{message.snippet || 'No words'}</span>}
      </button>
      {isOpen && (
        <div className="flex flex-col gap-3 px-3 pb-3 md:px-4">
          <Whom message={message} own={own} clock={clock} />
          <MailBody text={message.text} html={message.htmlBody} remoteImages={message.remoteImages} address={`${address}/mail`} />
          {message.attachments.length > 0 && (
            <AttachmentLines
              attachments={message.attachments.map(({ id, name, size, isShown }) => ({
                id,
                name,
                size,
                isShown,
                address: `${address}/attachments/${encodeURIComponent(id)}`,
              }))}
            />
          )}
        </div>
      )}
    </li>
  )
}

/** The recipients on one line; all of them on demand. */
function Whom({ message: { from, to, cc, bcc, date }, own, clock }: { message: MessageData; own: string; clock: Clock }) {
  const [isOpen, setOpen] = useState(false)
  const everybody = [...to, ...cc, ...bcc]
  return (
    <div className="-mt-1 text-xs text-fg-3">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="relative -mx-1.5 flex min-h-6 max-w-full items-center gap-1 rounded-sm px-1.5 touch-target hover:bg-hover hover:text-fg"
      >
        <span className="min-w-0 truncate">to {namesOf(everybody, own)}</span>
        {isOpen ? <ChevronDown aria-hidden="true" className="size-3.5!" /> : <ChevronRight aria-hidden="true" className="size-3.5!" />}
        <span className="sr-only">{isOpen ? 'Hide details' : 'Show details'}</span>
      </button>
      {isOpen && (
        <Facts className="pt-2">
          {from && <Fact label="From">{written(from)}</Fact>}
          <People label="To" people={to} />
          <People label="Cc" people={cc} />
          <People label="Bcc" people={bcc} />
          <Fact label="Date">{formatDateTime(date, clock)}</Fact>
        </Facts>
      )}
    </div>
  )
}

const written = ({ name, email }: Person): string => (name ? `${name} <${email}>` : email)

function People({ label, people }: { label: string; people: readonly Person[] }) {
  if (people.length === 0) return null
  return <Fact label={label}>{people.map(written).join(', ')}</Fact>
}
