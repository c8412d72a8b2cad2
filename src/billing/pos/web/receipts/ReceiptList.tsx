import { ReceiptText, Search } from 'lucide-react'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { PagedTable } from '../../../../ui/display/PagedTable.tsx'
import { Th } from '../../../../ui/display/Table.tsx'
import type { ReceiptData } from './receipt-data.ts'
import { formatTakenBy } from './labels.ts'
import { ReceiptCard, receiptColumns, ReceiptRow } from './ReceiptRow.tsx'
import { formatFilters, noFilters, periodLabels, type ReceiptFilters, type ReceiptsTabProps } from './receipts-search.ts'
import { useReceiptChoices, useReceiptList } from './useReceipts.ts'

interface ReceiptListProps extends ReceiptsTabProps {
  filters: ReceiptFilters
}

export function ReceiptList({ search, filters, onChange, onOpen }: ReceiptListProps) {
  const clock = useClock()
  const staff = useReceiptChoices().data?.staff
  const props = (receipt: ReceiptData) => ({
    receipt,
    clock,
    takenBy: formatTakenBy(receipt, staff ?? []),
    onOpen: () => onOpen(receipt.id),
  })
  return (
    <PagedTable
      pages={useReceiptList(filters)}
      label="Receipts"
      columns={receiptColumns}
      head={
        <>
          <Th>Receipt</Th>
          <Th>Customer</Th>
          <Th>Paid by</Th>
          <Th>Taken by</Th>
          <Th numeric>Total</Th>
        </>
      }
      empty={<NoReceipts search={search} onChange={onChange} />}
      renderRow={(receipt, place) => <ReceiptRow key={receipt.id} {...props(receipt)} {...place} />}
      renderCard={(receipt) => <ReceiptCard key={receipt.id} {...props(receipt)} />}
    />
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
