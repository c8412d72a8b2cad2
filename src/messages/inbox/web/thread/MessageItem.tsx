import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { MailBody } from '../../../../platform/mail/web/embed/MailBody.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatDateTime, formatDue } from '../../../../ui/format.ts'
import { snippetOf } from '../../rules.ts'
import { type ConversationData, isUnread, type MessageData } from '../inbox-data.ts'
import type { Actions } from '../useActions.ts'
import { Attachments } from './Attachments.tsx'
import { MessageState } from './MessageState.tsx'
import { useInView } from '../../../../ui/hooks/useInView.ts'

interface MessageItemProps {
  message: MessageData
  contact: ConversationData['contact']
  channel: ConversationData['channel']
  people: readonly Person[]
  clock: Clock
  actions: Actions
  isLast: boolean
  isHeldUnread: boolean
}

/** An email, or a message of the portal. Earlier read ones are collapsed to one line. */
export function MessageItem({ message, contact, channel, people, clock, actions, isLast, isHeldUnread }: MessageItemProps) {
  const unread = isUnread(message)
  const [isOpen, setOpen] = useState(isLast || unread || message.problem !== null)
  const [element, setElement] = useState<HTMLElement | null>(null)
  useInView(element, unread && !isHeldUnread && isOpen, () => void actions.markRead(message.id))
  const isOurs = message.direction === 'outbound'
  const author = people.find(({ id }) => id === message.createdBy)?.fullName
  const patient = channel === 'portal' && contact ? `${contact.firstName} ${contact.lastName}`.trim() : null
  const sender = isOurs ? (author ?? message.fromName ?? 'The clinic') : message.fromName || patient || message.fromEmail
  const Chevron = isOpen ? ChevronDown : ChevronRight

  return (
    <li
      ref={setElement}
      data-unread={unread || undefined}
      className={cn(
        'rounded-md border bg-surface',
        isOurs ? 'border-line bg-subtle' : 'border-line-2',
        unread && 'border-l-2 border-l-accent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full flex-wrap items-center gap-x-2 gap-y-0.5 rounded-md px-3 py-2 text-left text-sm outline-offset-[-2px] md:px-4"
      >
        <Chevron aria-hidden="true" className="size-3.5! text-fg-3" />
        <span className={cn('truncate text-fg', unread ? 'font-semibold' : 'font-medium')}>{sender}</span>
        <span className="text-xs text-fg-3 max-md:sr-only">{isOurs ? 'sent by the clinic' : 'received'}</span>
        {unread && <Badge tone="accent">Unread</Badge>}
        {message.isAutomatic && <Badge>Automatic answer</Badge>}
        {message.isFromElsewhere && <Badge tone="warning">From another address</Badge>}
        <span className="ml-auto flex-none text-xs text-fg-3 tabular-nums" title={formatDateTime(message.createdAt, clock)}>
          {formatDue(message.createdAt, clock)}
        </span>
        {!isOpen && <span className="w-full truncate pl-5.5 text-xs text-fg-3">{snippetOf(message.body) || 'No text'}</span>}
      </button>
      {isOpen && (
        <div className="flex flex-col gap-3 px-3 pb-3 md:px-4">
          {channel === 'email' && (
            <p className="text-xs break-words text-fg-3">
              {message.fromEmail} to {message.toEmail}
            </p>
          )}
          <MailBody
            text={message.body}
            html={message.htmlBody}
            remoteImages={message.remoteImages}
            address={`/api/inbox/messages/${message.id}/mail`}
          />
          {message.attachments.length > 0 && <Attachments attachments={message.attachments} contactId={contact?.id ?? null} />}
        </div>
      )}
      {isOurs && <MessageState message={message} channel={channel} actions={actions} />}
    </li>
  )
}
