import { Landmark, Search } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePages } from '../../../../ui/client/usePages.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { PagedTable } from '../../../../ui/display/PagedTable.tsx'
import { Th } from '../../../../ui/display/Table.tsx'
import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { payoutStateLabels, payoutStates } from '../../rules.ts'
import { OverduePayments } from '../OverduePayments.tsx'
import { PayoutCard, payoutColumns, PayoutRow } from '../PayoutRow.tsx'
import type { PayoutsSearch } from './payouts-search.ts'

const PayoutDrawer = lazyDialog(
  () => import('../PayoutDrawer.tsx'),
  ({ onClose }) => onClose(),
)

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
  const pages = usePages(orpc.payouts.list, { state: search.payouts }, { keepsPrevious: true })
  const open = (payout: string) => () => onChange({ payout })
  return (
    <PagedTable
      pages={pages}
      label="Payouts"
      columns={payoutColumns}
      head={
        <>
          <Th>Arrives</Th>
          <Th numeric>Payments</Th>
          <Th numeric>Refunds, disputes</Th>
          <Th numeric>Fees</Th>
          <Th numeric>Paid out</Th>
          <Th numeric>State</Th>
        </>
      }
      empty={
        search.payouts ? (
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
      renderRow={(payout, place) => <PayoutRow key={payout.id} payout={payout} onOpen={open(payout.id)} {...place} />}
      renderCard={(payout) => <PayoutCard key={payout.id} payout={payout} onOpen={open(payout.id)} />}
    />
  )
}
