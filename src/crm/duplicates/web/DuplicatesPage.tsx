import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, Lock } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { useClock } from '../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Pagination } from '../../../ui/display/Pagination.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { keyOf, type Pair, PairRow } from './PairRow.tsx'
import { useDecision } from './useDecision.ts'
import { useQueueKeys } from './useQueueKeys.ts'

const pageSize = 25

/** /contacts/duplicates: patients who were possibly entered twice. */
export default function DuplicatesPage(): ReactNode {
  const may = usePermission()
  return (
    <>
      <TopbarTitle title="Possible duplicates" />
      {may('duplicates.list') ? (
        <Queue />
      ) : (
        <EmptyState icon={<Lock />} title="Only sales and administrators can merge patients">
          If two patients are the same person, ask one of them to merge the records.
        </EmptyState>
      )}
    </>
  )
}

function Queue() {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const clock = useClock()
  const { page = 1, show = 'open' } = useSearch({ from: '/staff/contacts/duplicates' })
  const [current, setCurrent] = useState<string | null>(null)
  const [areNamesShown, setNamesShown] = useState(false)
  const [namesPage, setNamesPage] = useState(1)
  const by = show === 'open' ? 'contact' : 'any'
  const list = useQuery(
    orpc.duplicates.list.queryOptions({ input: { page, limit: pageSize, show, by }, placeholderData: keepPreviousData }),
  )
  const names = useQuery(
    orpc.duplicates.list.queryOptions({
      input: { page: namesPage, limit: pageSize, show, by: 'name' },
      placeholderData: keepPreviousData,
      enabled: show === 'open',
    }),
  )
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.duplicates.list.key() })
  useLive(['duplicate', 'contact'], refresh, { debounceMs: 1000 })

  const pairs = list.data?.data ?? []
  const namesakes = (show === 'open' && names.data?.data) || []
  const shown = areNamesShown ? [...pairs, ...namesakes] : pairs
  const keys = shown.map(keyOf)
  const byKey = (key: string) => shown.find((pair) => keyOf(pair) === key)

  /** Opens the merge page, which keeps the older record unless the two are swapped there. */
  function merge({ first, second }: Pair) {
    const [target, source] = first.createdAt <= second.createdAt ? [first, second] : [second, first]
    void navigate({ to: '/contacts/$id/merge', params: { id: target.id }, search: { with: source.id, from: 'duplicates' } })
  }

  const setDuplicate = useDecision({
    onDecided(pair) {
      const at = keys.indexOf(keyOf(pair))
      if (current === keyOf(pair)) setCurrent(keys[at + 1] ?? keys[at - 1] ?? null)
    },
    refresh,
  })

  useQueueKeys({
    keys,
    current,
    setCurrent,
    merge: (key) => {
      const pair = byKey(key)
      if (pair && show === 'open') merge(pair)
    },
    dismiss: (key) => {
      const pair = byKey(key)
      if (pair && show === 'open') void setDuplicate(pair, false)
    },
  })

  const row = (pair: Pair) => (
    <PairRow
      key={keyOf(pair)}
      pair={pair}
      clock={clock}
      isCurrent={current === keyOf(pair)}
      onMerge={() => merge(pair)}
      onDismiss={() => void setDuplicate(pair, false)}
      onRestore={() => void setDuplicate(pair, true)}
    />
  )

  return (
    <>
      <ShowSwitch
        show={show}
        onChange={(wanted) => void navigate({ to: '/contacts/duplicates', search: wanted === 'dismissed' ? { show: wanted } : {} })}
      />
      {!list.data ? (
        list.error ? (
          <ErrorState title="Couldn’t load the duplicates" onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {messageOf(list.error)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={8} className="min-h-0 flex-1 overflow-hidden" />
        )
      ) : pairs.length === 0 && namesakes.length === 0 ? (
        <NoPairs show={show} />
      ) : (
        <>
          <div className="relative min-h-0 flex-1 overflow-y-auto">
            {pairs.length === 0 && <p className="px-4 py-4 text-sm text-fg-2 md:px-6">No patients share an email or a phone.</p>}
            <ul aria-label="Pairs">{pairs.map(row)}</ul>
            {names.data && namesakes.length > 0 && (
              <Namesakes
                found={names.data}
                renderPair={row}
                isOpen={areNamesShown}
                onOpenChange={setNamesShown}
                page={namesPage}
                onPageChange={setNamesPage}
              />
            )}
          </div>
          <Pagination
            first={Math.min(list.data.total, (page - 1) * pageSize + 1)}
            last={(page - 1) * pageSize + pairs.length}
            page={page}
            pageSize={pageSize}
            total={list.data.total}
            atLeast={!list.data.totalIsExact}
            onPageChange={(next) =>
              void navigate({
                to: '/contacts/duplicates',
                search: { ...(show === 'dismissed' ? { show } : {}), ...(next > 1 ? { page: next } : {}) },
              })
            }
          />
        </>
      )}
    </>
  )
}

/** Whether the page shows the pairs to review or those marked as not duplicates. */
type Show = 'open' | 'dismissed'

function ShowSwitch({ show, onChange }: { show: Show; onChange: (show: Show) => void }) {
  return (
    <div className="flex h-13 flex-none items-center border-b border-line px-4 md:px-6">
      <SegmentedControl
        aria-label="Pairs to show"
        value={show}
        onValueChange={onChange}
        options={[
          { value: 'open', label: 'To review' },
          { value: 'dismissed', label: 'Not duplicates' },
        ]}
      />
    </div>
  )
}

function NoPairs({ show }: { show: Show }) {
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={show === 'open' ? 'No possible duplicates' : 'No dismissed pairs yet'}
      actions={<HelpLink to="leads-and-patients#possible-duplicates">How duplicates are found</HelpLink>}
    >
      {show === 'open'
        ? 'Patients who share an email or a phone, or have similar names and the same city, appear here within a minute.'
        : 'Pairs marked “Not a duplicate” appear here.'}
    </EmptyState>
  )
}

interface NamesakesProps {
  found: { data: readonly Pair[]; total: number; totalIsExact: boolean }
  renderPair: (pair: Pair) => ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  page: number
  onPageChange: (page: number) => void
}

/** The pairs that share only a similar name, closed at first. */
function Namesakes({ found, renderPair, isOpen, onOpenChange, page, onPageChange }: NamesakesProps) {
  return (
    <section aria-label="Similar name only">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpenChange(!isOpen)}
          className="flex min-h-11 w-full items-center gap-2 border-b border-line bg-subtle px-4 text-left text-sm font-medium text-fg-2 outline-offset-[-2px] hover:bg-hover hover:text-fg md:px-6"
        >
          <ChevronRight className={isOpen ? 'rotate-90' : ''} />
          Similar name only
          <span className="font-normal text-fg-3 tabular-nums">
            {formatCount(found.total)}
            {!found.totalIsExact && '+'}
          </span>
        </button>
      </h2>
      {isOpen && (
        <>
          <ul aria-label="Pairs with a similar name only">{found.data.map(renderPair)}</ul>
          {found.total > pageSize && (
            <Pagination
              first={(page - 1) * pageSize + 1}
              last={(page - 1) * pageSize + found.data.length}
              page={page}
              pageSize={pageSize}
              total={found.total}
              atLeast={!found.totalIsExact}
              onPageChange={onPageChange}
            />
          )}
        </>
      )}
    </section>
  )
}
