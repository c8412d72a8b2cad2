import { recordPrint } from '../../../../platform/audit/web/embed/record-print.ts'
import { PrintHead } from '../../../../ui/layout/PrintHead.tsx'
import { useClock, useSession } from '../../../../ui/client/session.ts'
import { formatDateTime, formatDay } from '../../../../ui/format.ts'
import { PrintSheet } from '../../../../ui/display/PrintSheet.tsx'
import type { TotalsData } from './receipt-data.ts'
import { formatFilters, type ReceiptFilters, type ReceiptsSearch } from './receipts-search.ts'
import { Accounts, formatTotalCount, Sums } from './Totals.tsx'

interface DayEndSheetProps {
  totals: TotalsData
  filters: ReceiptFilters
  search: ReceiptsSearch
}

const recordDayEndPrint = () => recordPrint('sales receipt')

/** The printed day-end summary, to compare with the card terminal's slip. */
export function DayEndSheet({ totals, filters, search }: DayEndSheetProps) {
  const clock = useClock()
  const { user } = useSession()
  const on = formatFilters(search)
  return (
    <PrintSheet onPrint={recordDayEndPrint}>
      <PrintHead title="day-end summary" />
      <p className="pt-1 text-md">
        {formatDays(filters)} · {formatTotalCount(totals.count, search.state === 'cancelled')}
      </p>
      {on && <p className="text-sm">Filters are on: {on}</p>}
      <h2 className="pt-6 pb-2 text-lg font-semibold">Deposit accounts</h2>
      <Accounts accounts={totals.accounts} />
      <h2 className="pt-6 pb-2 text-lg font-semibold">Totals</h2>
      <Sums data={totals} />
      <p className="pt-8 text-xs">
        Printed {formatDateTime(clock.now, clock)} by {user?.fullName}
      </p>
    </PrintSheet>
  )
}

function formatDays({ from, to }: ReceiptFilters): string {
  if (from && from === to) return formatDay(from)
  if (from && to) return `${formatDay(from)} to ${formatDay(to)}`
  if (from) return `Since ${formatDay(from)}`
  return to ? `Up to ${formatDay(to)}` : 'All time'
}
