import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type ReactNode } from 'react'
import { TopbarTitle } from '../../../../web/layout/TopbarTitle.tsx'
import { useClock } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { formatCount } from '../../../../web/ui/format.ts'
import { Pagination } from '../../../../web/ui/Pagination.tsx'
import { SkeletonRows } from '../../../../web/ui/Skeleton.tsx'
import { useMedia } from '../../../../web/ui/useMedia.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { isNobody, pageState } from './bulk/selection.ts'
import { useSelection } from './bulk/useSelection.ts'
import type { ColumnLayout } from './columns/layout.ts'
import { useColumns, useWidth } from './columns/useColumns.ts'
import { ContactCards } from './ContactCards.tsx'
import { ContactTable } from './ContactTable.tsx'
import { filtersOf, isFiltered, type ListSearch } from './list-search.ts'
import { recallPlace, rememberPlace } from './list-place.ts'
import { ListFailed, NoMatches, NoPatients, RefreshFailed } from './ListStates.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { type ContactListPage, useContactList } from './useContactList.ts'
import { useDensity } from './useDensity.ts'
import { useListKeys } from './useListKeys.ts'
import { useRowInHand } from './useRowInHand.ts'

const SelectionBar = lazy(() => import('./bulk/SelectionBar.tsx'))

const BoardPage = lazy(() => import('../board/BoardPage.tsx'))

/** Spec 2: /contacts, the patients, as a list or as a board. What it shows is all in the address. */
export default function ListPage(): ReactNode {
  const { layout } = useSearch({ from: '/staff/contacts' })
  if (layout !== 'board') return <PatientList />
  return (
    <Suspense fallback={<TopbarTitle title="Patients" />}>
      <BoardPage />
    </Suspense>
  )
}

function PatientList(): ReactNode {
  const search = useSearch({ from: '/staff/contacts' })
  const navigate = useNavigate()
  const directory = useDirectory()
  const [density, toggleDensity] = useDensity()
  const [layout, setLayout] = useColumns()
  const { page, isStale, error, isRetrying, retry } = useContactList(search)
  const list = useRef<{ step: (by: 1 | -1) => void }>(null)
  // Beside an open sidebar, a tablet has no room for a table either.
  const narrow = useMedia('(width < 60rem)')

  const change = (part: ListSearch, replace = false) =>
    void navigate({ to: '/contacts', search: { ...search, page: undefined, ...part }, replace })

  // A page that has emptied since its link was made: the last one that there is.
  const pastTheEnd = page && !isStale && page.data.length === 0 && page.total > 0 ? page.totalPages : null
  useEffect(() => {
    if (pastTheEnd) void navigate({ to: '/contacts', search: { ...search, page: pastTheEnd }, replace: true })
  }, [pastTheEnd, navigate, search])

  const isEmpty = page?.data.length === 0 && page.total === 0
  const isFirstUse = isEmpty && !isStale && !isFiltered(search)

  return (
    <>
      <TopbarTitle title="Patients" />
      {!isFirstUse && (
        <ListToolbar
          search={search}
          directory={directory}
          onChange={change}
          narrow={narrow}
          rows={{ density, onToggleDensity: toggleDensity, layout, onLayout: setLayout }}
          onArrowDown={() => list.current?.step(1)}
        />
      )}
      {error && page && <RefreshFailed retrying={isRetrying} onRetry={retry} />}
      {!page ? (
        error ? (
          <ListFailed error={error} retrying={isRetrying} onRetry={retry} />
        ) : (
          <SkeletonRows rows={14} className="min-h-0 flex-1 overflow-hidden min-[60rem]:pt-(--row-head)" rowClassName="max-[60rem]:h-17" />
        )
      ) : isFirstUse ? (
        <NoPatients />
      ) : isEmpty ? (
        <NoMatches search={search} onClear={() => void navigate({ to: '/contacts', search: { sort: search.sort } })} />
      ) : (
        <Rows
          ref={list}
          page={page}
          search={search}
          isStale={isStale}
          narrow={narrow}
          directory={directory}
          density={density}
          layout={layout}
          onLayout={setLayout}
          onPage={(next) => change({ page: next === 1 ? undefined : next })}
        />
      )}
    </>
  )
}

interface RowsProps {
  page: ContactListPage
  search: ListSearch
  isStale: boolean
  narrow: boolean
  directory: ReturnType<typeof useDirectory>
  density: ReturnType<typeof useDensity>[0]
  layout: ColumnLayout
  onLayout: (layout: ColumnLayout) => void
  onPage: (page: number) => void
  ref: React.Ref<{ step: (by: 1 | -1) => void }>
}

/** The rows with what belongs to moving among them: the keyboard, the row in hand, the pages. */
function Rows({ page, search, isStale, narrow, directory, density, layout, onLayout, onPage, ref }: RowsProps) {
  const navigate = useNavigate()
  const clock = useClock()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const room = useWidth(scroller)
  const ids = useMemo(() => page.data.map(({ id }) => id), [page.data])
  const [current, setCurrent] = useState(() => recallPlace()?.current ?? null)
  const shown = isStale ? null : JSON.stringify(search)
  const { unseen, showUnseen } = useRowInHand(scroller, ids, shown, current)

  const remember = useCallback(
    (id: string | null) => {
      const before = (page.page - 1) * page.limit
      rememberPlace({ search, ids, before, total: page.total, totalIsExact: page.totalIsExact, current: id })
      setCurrent(id)
    },
    [search, ids, page.page, page.limit, page.total, page.totalIsExact],
  )
  const open = useCallback(
    (id: string) => {
      remember(id)
      void navigate({ to: '/contacts/$id', params: { id } })
    },
    [remember, navigate],
  )
  const edit = useCallback(
    (id: string) => {
      remember(id)
      void navigate({ to: '/contacts/$id/edit', params: { id } })
    },
    [remember, navigate],
  )
  const step = useListKeys(ids, current, setCurrent, open, edit)
  const { selection, menu, setMenu, toggle, togglePage, selectMatching, clear } = useSelection(
    ids,
    current,
    JSON.stringify(filtersOf(search)),
  )
  const isAnySelected = !isNobody(selection)
  // Once it has come it stays: a change that is under way outlives the selection.
  const [barWanted, setBarWanted] = useState(false)
  if (isAnySelected && !barWanted) setBarWanted(true)
  useImperativeHandle(ref, () => ({ step }), [step])

  return (
    <>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={setScroller}
          data-scroll-restoration-id="contacts"
          aria-busy={isStale}
          className={cn(
            'min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]',
            isStale && 'opacity-60 transition-opacity delay-200',
            isAnySelected && 'pb-20', // the last rows can be scrolled out from under the bar
          )}
        >
          {narrow ? (
            <ContactCards rows={page.data} directory={directory} clock={clock} onOpen={remember} />
          ) : (
            <ContactTable
              rows={page.data}
              directory={directory}
              clock={clock}
              current={current}
              density={density}
              layout={layout}
              room={room}
              onLayout={onLayout}
              selection={selection}
              onToggle={toggle}
              onTogglePage={togglePage}
              onOpen={remember}
            />
          )}
        </div>
        {barWanted && (
          <Suspense>
            <SelectionBar
              selection={selection}
              search={search}
              total={page.total}
              atLeast={!page.totalIsExact}
              offersAll={pageState(selection, ids) === true && page.total > ids.length}
              directory={directory}
              menu={menu}
              setMenu={setMenu}
              onSelectMatching={selectMatching}
              onClear={clear}
            />
          </Suspense>
        )}
        {unseen > 0 && (
          <div className="pointer-events-none absolute inset-x-0 top-11 z-(--z-sticky) flex justify-center">
            <Button size="sm" icon={<ArrowUp />} onClick={showUnseen} className="pointer-events-auto rounded-full shadow-md">
              {formatCount(unseen)} new above
            </Button>
          </div>
        )}
      </div>
      <Pagination page={page.page} pageSize={page.limit} total={page.total} atLeast={!page.totalIsExact} onPageChange={onPage} />
    </>
  )
}
