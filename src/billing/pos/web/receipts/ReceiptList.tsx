import { useRowKeys } from '../../../../ui/hooks/useRowKeys.ts'
import { ReceiptText, Search } from 'lucide-react'
import { useMemo } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Table, TableBody, TableHead, Th } from '../../../../ui/display/Table.tsx'
import { ReceiptCard, receiptColumns, ReceiptRow } from './ReceiptRow.tsx'
import { formatFilters, noFilters, periodLabels, type ReceiptFilters, type ReceiptsTabProps } from './receipts-search.ts'
import { rowsOf } from '../../../../ui/client/usePages.ts'
import { useReceiptChoices, useReceiptList } from './useReceipts.ts'

/** Same as in tokens.css. */
const rowHeight = 44

interface ReceiptListProps extends ReceiptsTabProps {
  filters: ReceiptFilters
  narrow: boolean
}

export function ReceiptList({ search, filters, onChange, onOpen, narrow }: ReceiptListProps) {
  const clock = useClock()
  const { list, older } = useReceiptList(filters)
  const staff = useReceiptChoices().data?.staff
  const receipts = useMemo(() => rowsOf(list.data), [list.data])
  const current = useRowKeys(receipts.map(({ id }) => id))

  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the receipts" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[60rem]:h-17" />
    )
  }
  if (receipts.length === 0) return <NoReceipts search={search} onChange={onChange} />

  const props = (receipt: (typeof receipts)[number]) => ({
    receipt,
    clock,
    takenBy: staff?.find(({ id }) => id === receipt.createdBy)?.name ?? null,
    onOpen: () => onOpen(receipt.id),
  })
  return (
    <div aria-busy={list.isPlaceholderData} className={cn(list.isPlaceholderData && 'opacity-60')}>
      {narrow ? (
        <ul aria-label="Receipts">
          {receipts.map((receipt) => (
            <ReceiptCard key={receipt.id} {...props(receipt)} />
          ))}
        </ul>
      ) : (
        <Table columns={receiptColumns} aria-label="Receipts">
          <TableHead>
            <Th>Receipt</Th>
            <Th>Customer</Th>
            <Th>Paid by</Th>
            <Th>Taken by</Th>
            <Th numeric>Total</Th>
          </TableHead>
          <TableBody height={receipts.length * rowHeight}>
            {receipts.map((receipt, index) => (
              <ReceiptRow key={receipt.id} {...props(receipt)} top={index * rowHeight} isCurrent={receipt.id === current} />
            ))}
          </TableBody>
        </Table>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older receipts.</p>}
        </div>
      )}
    </div>
  )
}

function NoReceipts({ search, onChange }: Pick<ReceiptsTabProps, 'search' | 'onChange'>) {
  const on = formatFilters(search)
  if (on) {
    return (
      <EmptyState icon={<Search />} title="No receipt matches" actions={<Button onClick={() => onChange(noFilters)}>Clear filters</Button>}>
        Filters are on: {on}.
      </EmptyState>
    )
  }
  const period = search.period ?? 'today'
  const isAll = period === 'all'
  return (
    <EmptyState
      icon={<ReceiptText />}
      title={isAll ? 'No receipts yet' : period === 'custom' ? 'No receipts on these days' : `${periodLabels[period]}: no receipts`}
      actions={!isAll && <Button onClick={() => onChange({ period: 'all', from: undefined, to: undefined })}>Show all time</Button>}
    >
      Each payment that is taken appears here, once QuickBooks has it.
    </EmptyState>
  )
}
