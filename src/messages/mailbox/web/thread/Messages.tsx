import type { Clock } from '../../../../ui/format.ts'
import { useThreadScroll } from '../../../../platform/mail/web/embed/useThreadScroll.ts'
import type { ThreadData } from '../mailbox-data.ts'
import { MessageItem } from './MessageItem.tsx'

interface MessagesProps {
  thread: ThreadData
  own: string
  clock: Clock
  /** Marked as unread by hand while open: it stays unread. */
  isHeldUnread: boolean
  onSeen: () => void
}

/** Oldest first, scrolled to the newest. */
export function Messages({ thread, own, clock, isHeldUnread, onSeen }: MessagesProps) {
  const { messages, isUnread } = thread
  const scroll = useThreadScroll(messages.at(-1)?.id ?? null, isUnread)
  const isTruncated = thread.messageCount > messages.length
  return (
    <div {...scroll} className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4">
      {isTruncated && messages.length > 0 && (
        <p className="pb-3 text-center text-xs text-fg-3">The newest {messages.length} emails of this thread.</p>
      )}
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {messages.map((message, index) => {
          const isLast = index === messages.length - 1
          return (
            <MessageItem
              key={message.id}
              message={message}
              own={own}
              clock={clock}
              isLast={isLast}
              isToRead={isUnread && !isHeldUnread && (message.isUnread || isLast)}
              onSeen={onSeen}
            />
          )
        })}
      </ol>
    </div>
  )
}
