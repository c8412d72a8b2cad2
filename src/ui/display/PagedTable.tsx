import type { ReactNode } from 'react'
import { messageOf } from '../client/api.ts'
import { rowsOf, type usePages } from '../client/usePages.ts'
import { cn } from '../cn.ts'
import { Button } from '../controls/Button.tsx'
import { useMedia } from '../hooks/useMedia.ts'
import { useRowKeys } from '../hooks/useRowKeys.ts'
import { ErrorState } from './EmptyState.tsx'
import { SkeletonRows } from './Skeleton.tsx'
import { Table, TableBody, TableHead } from './Table.tsx'

/** Same as in tokens.css. */
const rowHeight = 44

type Pages<Row> = ReturnType<typeof usePages<object, { data: Row[]; nextCursor: string | null }, Error>>

interface PagedTableProps<Row> {
  /** From `usePages`, with `keepsPrevious`. */
  pages: Pages<Row>
  /** The rows in the plural, with a capital: 'Payouts'. */
  label: string
  /** Column widths as `grid-template-columns`, and the headings. */
  columns: string
  head: ReactNode
  /** Shown instead of a table without rows. */
  empty: ReactNode
  renderRow: (row: Row, place: { top: number; isCurrent: boolean }) => ReactNode
  /** The row on a phone, 68 px high. */
  renderCard: (row: Row) => ReactNode
}

/** A paginated list: a table of 44 px rows that the arrow keys walk, or cards on a phone, with a button for older rows. */
export function PagedTable<Row extends { id: string }>({
  pages: { list, older },
  label,
  columns,
  head,
  empty,
  renderRow,
  renderCard,
}: PagedTableProps<Row>) {
  const narrow = useMedia('(width < 60rem)')
  const rows = rowsOf(list.data)
  const current = useRowKeys(rows.map(({ id }) => id))
  if (!list.data) {
    return list.error ? (
      <ErrorState title={`Couldn’t load the ${label.toLowerCase()}`} onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[60rem]:h-17" />
    )
  }
  if (rows.length === 0) return empty
  return (
    <div aria-busy={list.isPlaceholderData} className={cn(list.isPlaceholderData && 'opacity-60')}>
      {narrow ? (
        <ul aria-label={label}>{rows.map(renderCard)}</ul>
      ) : (
        <Table columns={columns} aria-label={label}>
          <TableHead>{head}</TableHead>
          <TableBody height={rows.length * rowHeight}>
            {rows.map((row, index) => renderRow(row, { top: index * rowHeight, isCurrent: row.id === current }))}
          </TableBody>
        </Table>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older {label.toLowerCase()}.</p>}
        </div>
      )}
    </div>
  )
}
