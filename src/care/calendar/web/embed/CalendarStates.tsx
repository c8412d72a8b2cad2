import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { cn } from '../../../../ui/cn.ts'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import type { View } from './calendar-search.ts'

interface CalendarStatesProps {
  /** The noun in the error title: 'Appointments'. */
  what: string
  list: UseQueryResult<{ isTruncated: boolean }>
  /** Something other than the list is still loading. */
  isPending: boolean
  view: View
  /** Shown if the list is truncated. */
  truncatedHint: string
  children: ReactNode
}

/** The content below a calendar's toolbar: loading, error, or the calendar. */
export function CalendarStates({ what, list, isPending, view, truncatedHint, children }: CalendarStatesProps) {
  if (list.error && !list.data)
    return (
      <ErrorState title={`Couldn’t load ${what.toLowerCase()}`} onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    )
  if (list.isPending || isPending) return <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />
  return (
    <div
      aria-busy={list.isPlaceholderData}
      className={cn('flex min-h-0 flex-1 flex-col', list.isPlaceholderData && view === 'list' && 'opacity-60')}
    >
      {list.data.isTruncated && <p className="px-4 py-2 text-sm text-fg-2 md:px-6">{truncatedHint}</p>}
      {children}
    </div>
  )
}
