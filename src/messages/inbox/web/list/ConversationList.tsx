import { useVirtualizer } from '@tanstack/react-virtual'
import { Inbox, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import type { useConversations } from '../useInbox.ts'
import { inboxMessages } from '../../contract.ts'
import { type InboxSearch, showLabels } from '../inbox-search.ts'
import { lineHeight } from '../../../../platform/mail/web/embed/MailLine.tsx'
import { ConversationLine } from './ConversationLine.tsx'

interface ConversationListProps {
  search: InboxSearch
  /** The line that is open. */
  open: string | undefined
  conversations: ReturnType<typeof useConversations>
  current: string | null
  onOpen: (id: string) => void
  onClear: () => void
}

/** More rows are requested when the end is this close. */
const nearTheEnd = 10

export function ConversationList({ search, open, conversations, current, onOpen, onClear }: ConversationListProps) {
  const clock = useClock()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = conversations
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const wantsMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= rows.length - nearTheEnd
  useEffect(() => {
    if (wantsMore) void fetchNextPage({ cancelRefetch: false })
  }, [wantsMore, fetchNextPage])

  if (!data) {
    return error ? (
      <ErrorState title={inboxMessages.unread} onRetry={() => void conversations.refetch()} retrying={conversations.isFetching}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={10} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-20 md:px-4" />
    )
  }
  if (rows.length === 0) return <NoConversations search={search} onClear={onClear} />

  return (
    <div
      ref={setScroller}
      data-scroll-restoration-id="inbox"
      aria-busy={conversations.isPlaceholderData}
      className={cn('relative min-h-0 flex-1 overflow-y-auto', conversations.isPlaceholderData && 'opacity-60')}
    >
      <div role="list" aria-label="Conversations" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <div
              key={key}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={hasNextPage ? -1 : rows.length}
              className="absolute inset-x-0 top-0"
              style={{ height: lineHeight, transform: `translateY(${start}px)` }}
            >
              <ConversationLine
                row={row}
                clock={clock}
                isOpen={row.id === open}
                isCurrent={row.id === current}
                onOpen={() => onOpen(row.id)}
              />
            </div>
          )
        })}
      </div>
      {isFetchNextPageError && (
        <p className="flex items-center justify-between gap-2 px-4 py-3 text-sm text-danger-fg">
          Couldn’t load more.
          <Button size="sm" onClick={() => void fetchNextPage()}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

function NoConversations({ search, onClear }: Pick<ConversationListProps, 'search' | 'onClear'>) {
  if (search.search !== undefined) {
    return (
      <EmptyState icon={<Search />} title="No conversation matches" actions={<Button onClick={onClear}>Clear search</Button>}>
        Searched for “{search.search}” in {showLabels[search.show ?? 'active'].toLowerCase()}.
      </EmptyState>
    )
  }
  if (search.show === 'unread') {
    return (
      <EmptyState icon={<Inbox />} title="No unread messages">
        You have read every message from patients.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Inbox />} title={search.show ? `${showLabels[search.show]}: no conversations` : 'No unread messages'}>
      Text messages, emails and portal messages from patients appear here as they arrive, the newest first.
    </EmptyState>
  )
}
