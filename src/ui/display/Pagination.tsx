import { ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { cn } from '../cn.ts'
import { formatCount } from '../format.ts'
import { IconButton } from '../controls/IconButton.tsx'

interface PaginationProps {
  /** First (from 1) and last visible row. */
  first: number
  last: number
  total: number
  /** Whether there are more than `total`, not counted yet: '1–18 of 1,000+'. */
  atLeast?: boolean
  /** First row, from 1. */
  page: number
  pageSize: number
  onPageChange: (page: number) => void
  className?: string
}

/** '1–18 of 312' on the left, and page arrows on the right, for a continuously scrolling list. */
export const Pagination = memo(function Pagination({
  first,
  last,
  total,
  atLeast = false,
  page,
  pageSize,
  onPageChange,
  className,
}: PaginationProps) {
  return (
    <nav
      aria-label="Pages"
      data-foot
      className={cn('flex h-11 flex-none items-center gap-1 border-t border-line px-4 text-sm text-fg-2 md:px-6', className)}
    >
      <span className="tabular-nums" aria-live="polite">
        {formatCount(Math.min(first, total))}–{formatCount(Math.min(last, total))} of {formatCount(total)}
        {atLeast && '+'}
      </span>
      <span className="ml-auto pr-2 tabular-nums">{pageSize} per page</span>
      <IconButton
        label="Previous page"
        icon={<ChevronLeft />}
        disabled={first <= 1}
        onClick={() => onPageChange(first > (page - 1) * pageSize + 1 ? page : page - 1)}
        tooltipSide="top"
      />
      <IconButton
        label="Next page"
        icon={<ChevronRight />}
        disabled={!atLeast && last >= total}
        onClick={() => onPageChange(page + 1)}
        tooltipSide="top"
      />
    </nav>
  )
})
