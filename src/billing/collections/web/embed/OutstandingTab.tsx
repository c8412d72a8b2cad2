import { CircleCheck, Search } from 'lucide-react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Pagination } from '../../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { Table, TableBody, TableHead, Th } from '../../../../ui/display/Table.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { type Age, ageLabels, type Ageing } from '../../rules.ts'
import { AgeingRow } from '../AgeingRow.tsx'
import { OutstandingCard, outstandingColumns, OutstandingRow } from '../outstanding/OutstandingRow.tsx'
import { OutstandingToolbar } from '../outstanding/OutstandingToolbar.tsx'
import { useRowKeys } from '../../../../ui/hooks/useRowKeys.ts'
import { outstandingPageSize as pageSize, useOutstanding, usePeople } from '../useAccount.ts'
import { type OutstandingTabProps, showLabels } from './outstanding-search.ts'

const AccountDrawer = lazyDialog(
  () => import('../outstanding/AccountDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Same as in tokens.css. */
const rowHeight = 44

/** Outstanding balances, most urgent first, with totals and an account drawer. */
export function OutstandingTab({ search, onChange }: OutstandingTabProps) {
  return (
    <>
      <OutstandingToolbar search={search} onChange={onChange} />
      <OutstandingList search={search} onChange={onChange} />
      {search.accountOf && <AccountDrawer contactId={search.accountOf} onClose={() => onChange({ accountOf: undefined }, true)} />}
    </>
  )
}

function OutstandingList({ search, onChange }: OutstandingTabProps) {
  const clock = useClock()
  const people = usePeople()
  const narrow = useMedia('(width < 78rem)')
  const list = useOutstanding(search)
  const { data } = list
  const current = useRowKeys(data?.data.map(({ contact }) => contact.id) ?? [])

  if (!data) {
    return list.error ? (
      <ErrorState title="Couldn’t load outstanding accounts" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName="max-[78rem]:h-17" />
    )
  }
  const pickAge = (age: Age | undefined) => onChange({ age, page: undefined })
  const summary = <Summary balanceCents={data.balanceCents} ageing={data.ageing} filter={{ age: search.age, onChange: pickAge }} />
  if (data.data.length === 0) {
    return (
      <>
        {data.balanceCents > 0 && summary}
        <EmptyList search={search} onChange={onChange} />
      </>
    )
  }

  const page = search.page ?? 1
  const first = (page - 1) * pageSize + 1
  const props = (row: (typeof data.data)[number]) => ({
    account: row,
    clock,
    people,
    onOpen: () => onChange({ accountOf: row.contact.id }),
  })
  return (
    <>
      <div
        className={cn('relative min-h-0 flex-1 overflow-y-auto', list.isPlaceholderData && 'opacity-60')}
        data-scroll-restoration-id="outstanding"
        aria-busy={list.isPlaceholderData}
      >
        {summary}
        {narrow ? (
          <ul aria-label="Outstanding balances">
            {data.data.map((row) => (
              <OutstandingCard key={row.contact.id} {...props(row)} />
            ))}
          </ul>
        ) : (
          <Table columns={outstandingColumns} aria-label="Outstanding balances">
            <TableHead>
              <Th>Patient</Th>
              <Th numeric>Outstanding</Th>
              <Th numeric>Before surgery</Th>
              <Th>Oldest due</Th>
              <Th>Status</Th>
              <Th>Promise to pay</Th>
              <Th>Hold</Th>
              <Th>Last contact</Th>
              <Th>Owner</Th>
            </TableHead>
            <TableBody height={data.data.length * rowHeight}>
              {data.data.map((row, index) => (
                <OutstandingRow key={row.contact.id} {...props(row)} top={index * rowHeight} isCurrent={row.contact.id === current} />
              ))}
            </TableBody>
          </Table>
        )}
      </div>
      <Pagination
        first={first}
        last={first + data.data.length - 1}
        total={data.total}
        page={page}
        pageSize={pageSize}
        onPageChange={(to) => onChange({ page: to > 1 ? to : undefined })}
      />
    </>
  )
}

interface SummaryProps {
  balanceCents: number
  ageing: Ageing
  filter: { age: Age | undefined; onChange: (age: Age | undefined) => void }
}

function Summary({ balanceCents, ageing, filter }: SummaryProps) {
  return (
    <section
      aria-label="Total outstanding"
      className="flex flex-wrap items-end gap-x-10 gap-y-3 border-b border-line bg-subtle px-4 py-4 md:px-6"
    >
      <div>
        <p className="text-xs text-fg-3">Total outstanding</p>
        <p className="text-2xl font-semibold text-fg tabular-nums">{formatMoney(balanceCents)}</p>
      </div>
      <AgeingRow ageing={ageing} filter={filter} className="min-w-0 flex-1 basis-72 sm:max-w-200" />
    </section>
  )
}

function EmptyList({ search, onChange }: OutstandingTabProps) {
  const { show, age, owner, page } = search
  if (show !== undefined || age !== undefined || owner !== undefined || page !== undefined) {
    const active = [show && showLabels[show], age && ageLabels[age], owner && 'Owner', page && `Page ${page}`].filter(Boolean).join(', ')
    return (
      <EmptyState
        icon={<Search />}
        title="No patient matches"
        actions={
          <Button onClick={() => onChange({ show: undefined, age: undefined, owner: undefined, page: undefined })}>Clear filters</Button>
        }
      >
        Filters are on: {active}.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<CircleCheck />} title="No outstanding balances">
      Patients appear here while they have unpaid charges. To add a charge, open a patient’s tab “Quotes and payments”.
    </EmptyState>
  )
}
