import { Landmark, Search } from 'lucide-react'
import { useMemo } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { rowsOf, usePages } from '../../../../ui/client/usePages.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Table, TableBody, TableHead, Th } from '../../../../ui/display/Table.tsx'
import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { useRowKeys } from '../../../../ui/hooks/useRowKeys.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { payoutStateLabels, payoutStates } from '../../rules.ts'
import { OverduePayments } from '../OverduePayments.tsx'
import { PayoutCard, payoutColumns, PayoutRow } from '../PayoutRow.tsx'
import type { PayoutsSearch } from './payouts-search.ts'

const PayoutDrawer = lazyDialog(
  () => import('../PayoutDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Same as in tokens.css. */
const rowHeight = 44
const states = payoutStates.map((value) => ({ value, label: payoutStateLabels[value] }))

interface PayoutsTabProps {
  search: PayoutsSearch
  onChange: (part: PayoutsSearch, replace?: boolean) => void
}

/** Stripe's payouts, newest first, each compared with our records. */
export function PayoutsTab({ search, onChange }: PayoutsTabProps) {
  return (
    <>
      <Toolbar label="Payouts">
        <ToolbarSelect
          label="State"
          value={search.payouts}
          onChange={(payouts) => onChange({ payouts })}
          options={states}
          any="All states"
          className="w-36"
        />
        <span className="ml-auto">
          <HelpLink to="payments#payouts">How payouts are checked</HelpLink>
        </span>
      </Toolbar>
      <div className="relative flex min-h-0 flex-1 flex-col overflow-y-auto" data-scroll-restoration-id="payouts">
        <OverduePayments />
        <PayoutList search={search} onChange={onChange} />
      </div>
      {search.payout && <PayoutDrawer id={search.payout} onClose={() => onChange({ payout: undefined }, true)} />}
    </>
  )
}

function PayoutList({ search, onChange }: PayoutsTabProps) {
  const narrow = useMedia('(width < 60rem)')
  const { list, older } = usePages(orpc.payouts.list, { state: search.payouts }, { keepsPrevious: true })
  const payouts = useMemo(() => rowsOf(list.data), [list.data])
  const current = useRowKeys(payouts.map(({ id }) => id))
  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the payouts" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[60rem]:h-17" />
    )
  }
  if (payouts.length === 0) {
    return search.payouts ? (
      <EmptyState
        icon={<Search />}
        title="No payout matches"
        actions={<Button onClick={() => onChange({ payouts: undefined })}>Show all payouts</Button>}
      >
        No payout is in the state “{payoutStateLabels[search.payouts]}”.
      </EmptyState>
    ) : (
      <EmptyState icon={<Landmark />} title="No payouts yet">
        When Stripe pays card payments out to your bank account, each payout appears here, compared with your records to the cent.
      </EmptyState>
    )
  }
  const props = (payout: (typeof payouts)[number]) => ({ payout, onOpen: () => onChange({ payout: payout.id }) })
  return (
    <div aria-busy={list.isPlaceholderData} className={cn(list.isPlaceholderData && 'opacity-60')}>
      {narrow ? (
        <ul aria-label="Payouts">
          {payouts.map((payout) => (
            <PayoutCard key={payout.id} {...props(payout)} />
          ))}
        </ul>
      ) : (
        <Table columns={payoutColumns} aria-label="Payouts">
          <TableHead>
            <Th>Arrives</Th>
            <Th numeric>Payments</Th>
            <Th numeric>Refunds, disputes</Th>
            <Th numeric>Fees</Th>
            <Th numeric>Paid out</Th>
            <Th numeric>State</Th>
          </TableHead>
          <TableBody height={payouts.length * rowHeight}>
            {payouts.map((payout, index) => (
              <PayoutRow key={payout.id} {...props(payout)} top={index * rowHeight} isCurrent={payout.id === current} />
            ))}
          </TableBody>
        </Table>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older payouts.</p>}
        </div>
      )}
    </div>
  )
}
