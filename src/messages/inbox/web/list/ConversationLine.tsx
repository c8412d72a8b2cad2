import { Paperclip, Reply } from 'lucide-react'
import { MailLine } from '../../../../platform/mail/web/embed/MailLine.tsx'
import { type Clock, formatDue } from '../../../../ui/format.ts'
import type { ConversationRow } from '../inbox-data.ts'
import { whoOf } from '../inbox-data.ts'
import { channelLabels } from '../labels.ts'

interface ConversationLineProps {
  row: ConversationRow
  isOpen: boolean
  isCurrent: boolean
  clock: Clock
  onOpen: () => void
}

export function ConversationLine({ row, ...rest }: ConversationLineProps) {
  const { snoozedUntil } = row
  return (
    <MailLine
      {...rest}
      email={{
        id: row.id,
        who: whoOf(row),
        subject: row.channel === 'email' ? row.subject : channelLabels[row.channel],
        snippet: row.snippet || (row.channel === 'sms' ? 'A picture or a file' : 'No text'),
        at: row.lastMessageAt,
        unread: row.unreadCount,
        marks: (
          <>
            {snoozedUntil && <span className="flex-none text-fg-2">Until {formatDue(snoozedUntil, rest.clock)} ·</span>}
            {row.contact === null && <span className="flex-none text-warning-fg">Unknown sender ·</span>}
            {row.lastDirection === 'outbound' && <Reply aria-label="Answered" />}
            {row.hasAttachments && <Paperclip aria-label="With attachments" />}
          </>
        ),
      }}
    />
  )
}
