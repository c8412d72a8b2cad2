import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatDateTime, formatTime } from '../../../../ui/format.ts'
import { useInView } from '../../../../ui/hooks/useInView.ts'
import { type ConversationData, isUnread, type MessageData } from '../inbox-data.ts'
import { channelIcons } from '../icons.ts'
import type { Actions } from '../useActions.ts'
import { Attachments } from './Attachments.tsx'
import { MessageState } from './MessageState.tsx'

interface TextItemProps {
  message: MessageData
  contact: ConversationData['contact']
  people: readonly Person[]
  clock: Clock
  actions: Actions
  isHeldUnread: boolean
  /** Writes the same words as an email. Undefined: the patient cannot be emailed. */
  onByEmail: ((text: string) => void) | undefined
}

/** A text message as a bubble: ours at the right, the patient's at the left. */
export function TextItem({ message, contact, people, clock, actions, isHeldUnread, onByEmail }: TextItemProps) {
  const unread = isUnread(message)
  const [element, setElement] = useState<HTMLElement | null>(null)
  useInView(element, unread && !isHeldUnread, () => void actions.markRead(message.id))
  const isOurs = message.direction === 'outbound'
  const author = people.find(({ id }) => id === message.createdBy)?.fullName ?? 'Sent automatically'
  const Text = channelIcons.sms
  return (
    <li
      ref={setElement}
      data-unread={unread || undefined}
      className={cn('flex max-w-[85%] flex-col gap-1', isOurs ? 'items-end self-end' : 'items-start self-start')}
    >
      {message.body !== '' && (
        <p
          className={cn(
            'max-w-full rounded-lg px-3.5 py-2 text-md wrap-anywhere whitespace-pre-wrap text-fg',
            isOurs ? 'bg-accent-soft' : 'bg-hover',
          )}
        >
          {message.body}
        </p>
      )}
      {message.attachments.length > 0 && <Attachments attachments={message.attachments} contactId={contact?.id ?? null} />}
      {isOurs ? (
        <MessageState message={message} author={author} actions={actions} clock={clock} onByEmail={onByEmail} />
      ) : (
        <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-fg-3">
          <Text aria-hidden="true" className="size-3.5!" />
          <span className={cn('tabular-nums', unread && 'font-semibold text-fg')} title={formatDateTime(message.createdAt, clock)}>
            Text · {formatTime(message.createdAt, clock.timeZone)}
          </span>
          {unread && <Badge tone="accent">Unread</Badge>}
          {message.isFromElsewhere && <Badge tone="warning">From another number</Badge>}
        </p>
      )}
    </li>
  )
}
