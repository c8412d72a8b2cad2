import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { MailBody } from '../../../../platform/mail/web/embed/MailBody.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatDateTime, formatTime } from '../../../../ui/format.ts'
import { useInView } from '../../../../ui/hooks/useInView.ts'
import { snippetOf } from '../../rules.ts'
import { type ConversationData, isUnread, type MessageData } from '../inbox-data.ts'
import { channelIcons } from '../icons.ts'
import { channelLabels } from '../labels.ts'
import type { Actions } from '../useActions.ts'
import { Attachments } from './Attachments.tsx'
import { MessageState } from './MessageState.tsx'

interface MessageItemProps {
  message: MessageData
  contact: ConversationData['contact']
  people: readonly Person[]
  clock: Clock
  actions: Actions
  isLast: boolean
  isHeldUnread: boolean
}

/** An email, or a message of the portal, as a card: ours at the right. Earlier read ones show their beginning only. */
export function MessageItem({ message, contact, people, clock, actions, isLast, isHeldUnread }: MessageItemProps) {
  const { channel } = message
  const unread = isUnread(message)
  const [isOpen, setOpen] = useState(isLast || unread || message.problem !== null)
  const [element, setElement] = useState<HTMLElement | null>(null)
  useInView(element, unread && !isHeldUnread && isOpen, () => void actions.markRead(message.id))
  const isOurs = message.direction === 'outbound'
  const author = people.find(({ id }) => id === message.createdBy)?.fullName
  const patient = channel === 'portal' && contact ? `${contact.firstName} ${contact.lastName}`.trim() : null
  const sender = isOurs ? (author ?? message.fromName ?? 'The clinic') : message.fromName || patient || message.fromEmail
  const [Chevron, Channel] = [isOpen ? ChevronDown : ChevronRight, channelIcons[channel]]

  return (
    <li ref={setElement} data-unread={unread || undefined} className={cn('flex flex-col gap-1', isOurs ? 'items-end' : 'items-start')}>
      <div
        className={cn(
          'w-full max-w-2xl rounded-lg border',
          isOurs ? 'border-line bg-accent-soft/40' : 'border-line-2 bg-surface',
          unread && 'border-l-2 border-l-accent',
        )}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 w-full flex-wrap items-center gap-x-2 gap-y-0.5 rounded-lg px-3 py-2 text-left text-sm outline-offset-[-2px] md:px-4"
        >
          <Chevron aria-hidden="true" className="size-3.5! text-fg-3" />
          <span className={cn('min-w-0 flex-1 truncate text-fg', unread ? 'font-semibold' : 'font-medium')}>
            {channel === 'email' ? message.subject : sender}
          </span>
          {unread && <Badge tone="accent">Unread</Badge>}
          {message.isAutomatic && <Badge>Automatic answer</Badge>}
          {message.isFromElsewhere && <Badge tone="warning">From another address</Badge>}
          <span
            className="flex flex-none items-center gap-1.5 text-xs text-fg-3 tabular-nums"
            title={formatDateTime(message.createdAt, clock)}
          >
            <Channel aria-hidden="true" className="size-3.5!" />
            {channelLabels[channel]} · {formatTime(message.createdAt, clock.timeZone)}
          </span>
          {channel === 'email' && (
            <span className="w-full truncate pl-5.5 text-xs text-fg-3">
              {sender}
              <span className="sr-only">{isOurs ? ' sent by the clinic' : ' received'}</span>
            </span>
          )}
          {!isOpen && <span className="line-clamp-2 w-full pl-5.5 text-sm text-fg-2">{snippetOf(message.body) || 'No text'}</span>}
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
      </div>
      {isOurs && <MessageState message={message} actions={actions} clock={clock} />}
    </li>
  )
}
