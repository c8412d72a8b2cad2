import { CheckCheck, Inbox } from 'lucide-react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatCount } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { MailLine } from '../../../../platform/mail/web/embed/MailLine.tsx'
import { inboxMessages } from '../../contract.ts'
import type { Actions } from '../useActions.ts'
import type { useUnreadByPatient } from '../useInbox.ts'

interface UnreadListProps {
  unread: ReturnType<typeof useUnreadByPatient>
  open: string | undefined
  current: string | null
  actions: Actions
  onOpen: (conversation: string) => void
}

/** Unread messages by patient: the newest of each, and their number. */
export function UnreadList({ unread, open, current, actions, onOpen }: UnreadListProps) {
  const clock = useClock()
  const { data } = unread
  if (!data) {
    return unread.error ? (
      <ErrorState title={inboxMessages.unread} onRetry={() => void unread.refetch()} retrying={unread.isFetching}>
        {messageOf(unread.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={10} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-20 md:px-4" />
    )
  }
  if (data.data.length === 0) {
    return (
      <EmptyState icon={<Inbox />} title="No unread messages">
        You have read every message from patients.
      </EmptyState>
    )
  }
  return (
    <div data-scroll-restoration-id="inbox-unread" className="relative min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Unread by patient">
        {data.data.map(({ contact_id, contact_name, contact_email, latest_message: latest, unread_count }) => (
          <li key={latest.id} className="relative h-20">
            <MailLine
              hasAction
              email={{
                id: latest.conversation_id,
                who: contact_name,
                subject: latest.subject,
                snippet: latest.body || 'No text',
                at: latest.created_at,
                unread: unread_count,
                marks: contact_id === null && <span className="flex-none text-warning-fg">Unknown sender ·</span>,
              }}
              clock={clock}
              isOpen={latest.conversation_id === open}
              isCurrent={latest.conversation_id === current}
              onOpen={() => onOpen(latest.conversation_id)}
            />
            <span className="absolute top-1/2 right-2.5 -translate-y-1/2">
              <IconButton
                size="sm"
                label={`Mark all from ${contact_name || contact_email} as read`}
                icon={<CheckCheck />}
                onClick={() => void (contact_id ? actions.markContact(contact_id) : actions.markSender(contact_email!))}
              />
            </span>
          </li>
        ))}
      </ul>
      {data.total > data.data.length && (
        <p className="px-4 py-3 text-xs text-fg-3">{formatCount(data.total - data.data.length)} more once these are read.</p>
      )}
    </div>
  )
}
