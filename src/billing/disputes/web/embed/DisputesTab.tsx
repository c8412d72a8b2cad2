import { Search, ShieldCheck } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePages } from '../../../../ui/client/usePages.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { PagedTable } from '../../../../ui/display/PagedTable.tsx'
import { Th } from '../../../../ui/display/Table.tsx'
import { Toolbar, ToolbarSelect } from '../../../../ui/display/Toolbar.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { DisputeData } from '../dispute-data.ts'
import { DisputeCard, disputeColumns, DisputeRow } from '../DisputeRow.tsx'
import type { DisputesSearch } from './disputes-search.ts'

const DisputeDrawer = lazyDialog(
  () => import('../DisputeDrawer.tsx'),
  ({ onClose }) => onClose(),
)

const states = [
  { value: 'open' as const, label: 'Needs evidence' },
  { value: 'over' as const, label: 'Submitted or over' },
]

interface DisputesTabProps {
  search: DisputesSearch
  onChange: (part: DisputesSearch, replace?: boolean) => void
}

/** Card payments that cardholders dispute with their bank: those that wait for evidence first, by their deadline. */
export function DisputesTab({ search, onChange }: DisputesTabProps) {
  return (
    <>
      <Toolbar label="Disputes">
        <ToolbarSelect
          label="State"
          value={search.disputes}
          onChange={(disputes) => onChange({ disputes })}
          options={states}
          any="All disputes"
          className="w-44"
        />
        <span className="ml-auto">
          <HelpLink to="payments#disputed-payments">How to answer a dispute</HelpLink>
        </span>
      </Toolbar>
      <div className="relative flex min-h-0 flex-1 flex-col overflow-y-auto" data-scroll-restoration-id="disputes">
        <DisputeList search={search} onChange={onChange} />
      </div>
      {search.dispute && <DisputeDrawer id={search.dispute} onClose={() => onChange({ dispute: undefined }, true)} />}
    </>
  )
}

function DisputeList({ search, onChange }: DisputesTabProps) {
  const clock = useClock()
  const pages = usePages(orpc.disputes.list, { state: search.disputes }, { keepsPrevious: true })
  const props = (dispute: DisputeData) => ({ dispute, clock, onOpen: () => onChange({ dispute: dispute.id }) })
  return (
    <PagedTable
      pages={pages}
      label="Disputes"
      columns={disputeColumns}
      head={
        <>
          <Th>Patient</Th>
          <Th>Bank’s reason</Th>
          <Th>Deadline</Th>
          <Th numeric>Amount</Th>
          <Th numeric>State</Th>
        </>
      }
      empty={
        search.disputes ? (
          <EmptyState
            icon={<Search />}
            title="No dispute matches"
            actions={<Button onClick={() => onChange({ disputes: undefined })}>Show all disputes</Button>}
          >
            {search.disputes === 'open' ? 'No dispute waits for evidence.' : 'No evidence was submitted yet.'}
          </EmptyState>
        ) : (
          <EmptyState icon={<ShieldCheck />} title="No disputes">
            When a cardholder disputes a card payment with their bank, it appears here with its deadline and prepared evidence.
          </EmptyState>
        )
      }
      renderRow={(dispute, place) => <DisputeRow key={dispute.id} {...props(dispute)} {...place} />}
      renderCard={(dispute) => <DisputeCard key={dispute.id} {...props(dispute)} />}
    />
  )
}
