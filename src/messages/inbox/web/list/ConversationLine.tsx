import { MessageSquareText, Paperclip, Reply } from 'lucide-react'
import { MailLine } from '../../../../platform/mail/web/embed/MailLine.tsx'
import type { Clock } from '../../../../ui/format.ts'
import type { ConversationRow } from '../inbox-data.ts'
import { whoOf } from '../inbox-data.ts'

interface ConversationLineProps {
  row: ConversationRow
  isOpen: boolean
  isCurrent: boolean
  clock: Clock
  onOpen: () => void
}

export function ConversationLine({ row, ...rest }: ConversationLineProps) {
  return (
    <MailLine
      {...rest}
      email={{
        id: row.id,
        who: whoOf(row),
        subject: row.subject,
        snippet: row.snippet || 'No text',
        at: row.lastMessageAt,
        unread: row.unreadCount,
        marks: (
          <>
            {row.channel === 'portal' && <span className="flex-none">Portal ·</span>}
            {row.channel === 'sms' && <MessageSquareText aria-label="Text messages" />}
            {row.contact === null && <span className="flex-none text-warning-fg">Unknown sender ·</span>}
            {row.lastDirection === 'outbound' && <Reply aria-label="Answered" />}
            {row.hasAttachments && <Paperclip aria-label="With attachments" />}
          </>
        ),
      }}
    />
  )
}
