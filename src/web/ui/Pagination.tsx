import { ChevronLeft, ChevronRight } from 'lucide-react'
import { cn } from './cn.ts'
import { formatCount } from './format.ts'
import { IconButton } from './IconButton.tsx'

interface PaginationProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  /** True while there are more than `total`, as yet uncounted: '1–50 of 1,000+'. */
  atLeast?: boolean
  onPageChange: (page: number) => void
  className?: string
}

/** '1–50 of 312' at the left, '50 per page' and the two arrows at the right. */
export function Pagination({ page, pageSize, total, atLeast = false, onPageChange, className }: PaginationProps) {
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const last = atLeast ? page * pageSize : Math.min(page * pageSize, total)
  return (
    <nav
      aria-label="Pages"
      className={cn('flex h-11 flex-none items-center gap-1 border-t border-line px-4 text-sm text-fg-2 md:px-6', className)}
    >
      <span className="tabular-nums" aria-live="polite">
        {formatCount(first)}–{formatCount(last)} of {formatCount(total)}
        {atLeast && '+'}
      </span>
      <span className="ml-auto pr-2 tabular-nums">{pageSize} per page</span>
      <IconButton
        label="Previous page"
        icon={<ChevronLeft />}
        disabled={page <= 1}
        onClick={() => onPageChange(page - 1)}
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
}
