import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { DayEndSheet } from './DayEndSheet.tsx'
import { ReceiptList } from './ReceiptList.tsx'
import { filtersOf, type ReceiptsTabProps } from './receipts-search.ts'
import { ReceiptsToolbar } from './ReceiptsToolbar.tsx'
import { TotalsFold, TotalsPanel } from './Totals.tsx'
import { useReceiptTotals } from './useReceipts.ts'

/** The receipts with filters and totals. */
export function ReceiptsTab({ search, onChange, onOpen }: ReceiptsTabProps) {
  const clock = useClock()
  const filters = filtersOf(search, today(clock))
  const totals = useReceiptTotals(filters)
  const hasPanel = useMedia('(width >= 72rem)')
  const narrow = useMedia('(width < 60rem)')
  return (
    <>
      <ReceiptsToolbar search={search} onChange={onChange} narrow={narrow} />
      <div className="flex min-h-0 flex-1">
        <div className="relative flex min-w-0 flex-1 flex-col overflow-y-auto" data-scroll-restoration-id="receipts">
          {!hasPanel && <TotalsFold totals={totals} isCancelled={search.state === 'cancelled'} />}
          <ReceiptList search={search} filters={filters} onChange={onChange} onOpen={onOpen} />
        </div>
        {hasPanel && <TotalsPanel totals={totals} isCancelled={search.state === 'cancelled'} />}
      </div>
      {totals.data && <DayEndSheet totals={totals.data} filters={filters} search={search} />}
    </>
  )
}
