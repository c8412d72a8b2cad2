import { Search, ShieldCheck } from 'lucide-react'
import { useMemo } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
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
import { DisputeCard, disputeColumns, DisputeRow } from '../DisputeRow.tsx'
import type { DisputesSearch } from './disputes-search.ts'

const DisputeDrawer = lazyDialog(
  () => import('../DisputeDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Same as in tokens.css. */
const rowHeight = 44
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
  const narrow = useMedia('(width < 60rem)')
  const { list, older } = usePages(orpc.disputes.list, { state: search.disputes }, { keepsPrevious: true })
  const disputes = useMemo(() => rowsOf(list.data), [list.data])
  const current = useRowKeys(disputes.map(({ id }) => id))
  if (!list.data) {
    return list.error ? (
      <ErrorState title="Couldn’t load the disputes" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[60rem]:h-17" />
    )
  }
  if (disputes.length === 0) {
    return search.disputes ? (
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
  const props = (dispute: (typeof disputes)[number]) => ({ dispute, clock, onOpen: () => onChange({ dispute: dispute.id }) })
  return (
    <div aria-busy={list.isPlaceholderData} className={cn(list.isPlaceholderData && 'opacity-60')}>
      {narrow ? (
        <ul aria-label="Disputes">
          {disputes.map((dispute) => (
            <DisputeCard key={dispute.id} {...props(dispute)} />
          ))}
        </ul>
      ) : (
        <Table columns={disputeColumns} aria-label="Disputes">
          <TableHead>
            <Th>Patient</Th>
            <Th>Bank’s reason</Th>
            <Th>Deadline</Th>
            <Th numeric>Amount</Th>
            <Th numeric>State</Th>
          </TableHead>
          <TableBody height={disputes.length * rowHeight}>
            {disputes.map((dispute, index) => (
              <DisputeRow key={dispute.id} {...props(dispute)} top={index * rowHeight} isCurrent={dispute.id === current} />
            ))}
          </TableBody>
        </Table>
      )}
      {list.hasNextPage && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
          <Button busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
            Show older
          </Button>
          {list.isFetchNextPageError && <p className="text-sm text-danger-fg">Couldn’t load older disputes.</p>}
        </div>
      )}
    </div>
  )
}
