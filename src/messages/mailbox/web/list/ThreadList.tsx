import { useVirtualizer } from '@tanstack/react-virtual'
import { Paperclip, UserRound } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { lineHeight, MailLine } from '../../../../platform/mail/web/embed/MailLine.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { noSubject, othersIn, partyName, type ThreadRow } from '../mailbox-data.ts'
import type { Threads } from '../useMailbox.ts'

interface ThreadListProps {
  threads: Threads
  /** Identifies the list, to restore its scroll position. */
  place: string
  own: string
  open: string | undefined
  current: string | null
  /** The empty state. */
  empty: ReactNode
  onOpen: (id: string) => void
}

/** More rows are requested when the end is this close. */
const nearTheEnd = 10
const places = new Map<string, number>()

export function ThreadList({ threads, place, own, open, current, empty, onOpen }: ThreadListProps) {
  const clock = useClock()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const { first, rows = [], hasMore, isLoadingMore, moreFailed, more } = threads
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialOffset: places.get(place) ?? 0,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const wantsMore = hasMore && !isLoadingMore && !moreFailed && !first.isPlaceholderData && last >= rows.length - nearTheEnd
  useEffect(() => {
    if (wantsMore) more()
  }, [wantsMore, more])
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      if (element) element.scrollTop = places.get(place) ?? 0
      setScroller(element)
    },
    [place],
  )

  if (rows.length === 0) return empty
  return (
    <div
      ref={attach}
      onScroll={({ currentTarget }) => places.set(place, currentTarget.scrollTop)}
      aria-busy={first.isPlaceholderData}
      className={cn('relative min-h-0 flex-1 overflow-y-auto', first.isPlaceholderData && 'opacity-60')}
    >
      <div role="list" aria-label="Threads" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <div
              key={key}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
              className="absolute inset-x-0 top-0"
              style={{ height: lineHeight, transform: `translateY(${start}px)` }}
            >
              <MailLine
                email={{
                  id: row.id,
                  who: whoIn(row, own),
                  subject: row.subject || noSubject,
                  snippet: row.snippet || 'No words',
                  at: row.date,
                  unread: row.isUnread,
                  marks: <Marks row={row} />,
                }}
                clock={clock}
                isOpen={row.id === open}
                isCurrent={row.id === current}
                onOpen={() => onOpen(row.id)}
              />
            </div>
          )
        })}
      </div>
      {isLoadingMore && <SkeletonRows rows={1} rowClassName="h-20 md:px-4" />}
      {moreFailed && (
        <p className="flex items-center justify-between gap-2 px-4 py-3 text-sm text-danger-fg">
          Couldn’t load more.
          <Button size="sm" onClick={more}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

const whoIn = ({ people, messageCount }: ThreadRow, own: string): string =>
  `${othersIn(people, own)}${messageCount > 1 ? ` (${messageCount})` : ''}`

function Marks({ row: { contact, hasAttachments } }: { row: ThreadRow }) {
  return (
    <>
      {contact && (
        <span className="inline-flex max-w-40 flex-none items-center gap-1 text-accent-fg [&_svg]:size-3.5">
          <UserRound aria-label="Linked to" />
          <span className="truncate">{partyName(contact)}</span>
          <span aria-hidden="true">·</span>
        </span>
      )}
      {hasAttachments && <Paperclip aria-label="With attachments" />}
    </>
  )
}
