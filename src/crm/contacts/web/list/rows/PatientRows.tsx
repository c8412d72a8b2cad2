import { useNavigate } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type ReactNode } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { formatCount } from '../../../../../ui/format.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { Pagination } from '../../../../../ui/display/Pagination.tsx'
import { useWidth } from '../../../../../ui/hooks/useWidth.ts'
import { whenIdle } from '../../../../../ui/client/when-idle.ts'
import type { Directory } from '../../embed/directory.ts'
import { isNobody, pageState } from '../bulk/selection.ts'
import { useIsChanging } from '../bulk/useBulkChange.ts'
import { useSelection } from '../bulk/useSelection.ts'
import type { ColumnLayout } from '../columns/layout.ts'
import { filtersOf, type ListSearch, pageSize } from '../../embed/list-search.ts'
import type { Density } from '../useDensity.ts'
import { ContactCards } from './ContactCards.tsx'
import { ContactTable } from './ContactTable.tsx'
import { firstOfPage, indexOf, type ListView, pageOfRow, rowCount } from './list-view.ts'
import { RowsInSight } from './RowsInSight.tsx'
import type { ContactList } from './useContactList.ts'
import { useCurrentRow } from './useCurrentRow.ts'
import { FocusRefuge } from './useKeptFocus.ts'
import { useListKeys } from './useListKeys.ts'
import { useIdsBetween } from './useIdsBetween.ts'
import { useInitialPlace, useKeptPlace } from './useListPlace.ts'
import { usePageInAddress } from './usePageInAddress.ts'
import { useRowInHand } from './useRowInHand.ts'
import { useVirtualRows } from './useVirtualRows.ts'

const SelectionBar = lazyDialog(
  () => import('../bulk/SelectionBar.tsx'),
  ({ onClear }) => onClear(),
  ({ menu }) => menu !== null,
)

/** In px, as tokens.css has them. */
const [head, card, rowHeights] = [34, 68, { default: 44, compact: 36 }]
/** The last rows can be scrolled out from under the bar. */
const barRoom = 80

export interface ListHandle {
  step: (by: number) => void
  clearSelection: () => void
}

interface PatientRowsProps {
  contacts: ContactList
  view: ListView
  search: ListSearch
  narrow: boolean
  directory: Directory
  density: Density
  layout: ColumnLayout
  onLayout: (layout: ColumnLayout) => void
  /** What stands there when there are no rows. What is being done with those who were selected outlives the last of them. */
  instead: ReactNode
  /** A tap on a card selects it. */
  isSelecting: boolean
  /** The selection has served, or was let go. */
  onSelected: () => void
  ref: React.Ref<ListHandle>
}

/** The rows with what belongs to moving among them: the keyboard, the row in hand, the place in the address. */
export function PatientRows({
  contacts,
  view,
  search,
  narrow,
  directory,
  density,
  layout,
  onLayout,
  instead,
  isSelecting,
  onSelected,
  ref,
}: PatientRowsProps) {
  const navigate = useNavigate()
  const clock = useClock()
  const { isStale, isSettled, failed, isRetrying, retry, showPages } = contacts
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const refuge = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const rowHeight = narrow ? card : rowHeights[density]
  const count = rowCount(view)

  const initial = useInitialPlace(search, rowHeight)
  const { current, currentIndex, setCurrent, focusRow } = useCurrentRow(view, initial.row)
  const topPage = useMemo(() => view.pages.get(search.page ?? 1)?.map(({ id }) => id) ?? [], [view, search.page])
  const { place, idsBetween } = useIdsBetween(view, search)
  const { selection, menu, setMenu, toggle, togglePage, selectMatching, clear } = useSelection({
    page: topPage,
    pageOf: (id) => (place(id) < 0 ? [] : (view.pages.get(pageOfRow(place(id)))?.map((row) => row.id) ?? [])),
    idsBetween,
    current,
    shown: JSON.stringify(filtersOf(search)),
  })
  const isAnySelected = !isNobody(selection)
  // A change that is under way outlives the selection, this page and the next load of it.
  const hasBar = useIsChanging() || isAnySelected
  const rows = useVirtualRows({
    scroller,
    count,
    rowHeight,
    head: narrow ? 0 : head,
    foot: hasBar ? barRoom : 0,
    initialTop: initial.top,
  })
  const { unseen, showUnseen } = useRowInHand({ scroller, view, rows, current, page: search.page ?? 1, isSettled })
  usePageInAddress(search, rows, isStale)

  const keepPlace = useKeptPlace({ view, search, rowHeight, rows, currentIndex })
  const latestView = useRef(view)
  useEffect(() => {
    latestView.current = view
  })
  const onOpen = useCallback(
    (id: string) => {
      const index = indexOf(latestView.current, id)
      setCurrent(index, id)
      keepPlace(index)
    },
    [setCurrent, keepPlace],
  )
  const step = useListKeys({
    count,
    current,
    currentIndex,
    firstSeen: rows.firstSeen,
    rowsSeen: rows.rowsSeen,
    goTo(index) {
      rows.reveal(index)
      focusRow(index)
    },
    open(id) {
      onOpen(id)
      void navigate({ to: '/contacts/$id', params: { id } })
    },
    edit(id) {
      onOpen(id)
      void navigate({ to: '/contacts/$id/edit', params: { id } })
    },
  })
  useImperativeHandle(ref, () => ({ step, clearSelection: clear }), [step, clear])
  useEffect(() => whenIdle(SelectionBar.prepare), [])

  const { moveToRow } = rows
  const goToPage = useCallback((page: number) => moveToRow(firstOfPage(page)), [moveToRow])

  const seen = rows.standing.first
  const shared = {
    count,
    height: rows.height,
    term: search.search ?? '',
    directory,
    clock,
    currentIndex,
    stopIndex: currentIndex ?? seen,
    selection,
    onToggle: toggle,
    onOpen,
    retrying: isRetrying,
    onRetry: retry,
  }

  return (
    <>
      <div className="relative flex min-h-0 flex-1 flex-col">
        {instead ?? (
          <div
            ref={(element) => {
              setScroller(element)
              refuge.current = element
            }}
            tabIndex={-1}
            aria-busy={isStale}
            className={cn(
              // With a ground of its own it is scrolled without being painted again.
              'relative min-h-0 flex-1 overflow-y-auto bg-surface outline-none [overflow-anchor:none]',
              isStale && 'opacity-60 transition-opacity delay-200',
            )}
          >
            <FocusRefuge value={refuge}>
              <RowsInSight
                rows={rows}
                view={view}
                count={count}
                rowHeight={rowHeight}
                currentIndex={currentIndex}
                failed={failed}
                onPages={isStale ? null : showPages}
              >
                {(drawn) =>
                  narrow ? (
                    <ContactCards {...shared} drawn={drawn} isSelecting={isSelecting || isAnySelected} />
                  ) : (
                    <ContactTable
                      {...shared}
                      drawn={drawn}
                      density={density}
                      layout={layout}
                      room={width}
                      onLayout={onLayout}
                      pageSelected={pageState(selection, topPage)}
                      onTogglePage={togglePage}
                    />
                  )
                }
              </RowsInSight>
            </FocusRefuge>
          </div>
        )}
        {hasBar && (
          <SelectionBar
            selection={selection}
            search={search}
            total={view.total}
            atLeast={!view.totalIsExact}
            offersAll={topPage.length > 0 && pageState(selection, topPage) === true && view.total > topPage.length}
            shown={layout.shown}
            directory={directory}
            menu={menu}
            setMenu={setMenu}
            onSelectMatching={selectMatching}
            onClear={() => {
              clear()
              onSelected()
            }}
          />
        )}
        {unseen > 0 && (
          <div className="pointer-events-none absolute inset-x-0 top-11 z-(--z-sticky) flex justify-center">
            <Button size="sm" icon={<ArrowUp />} onClick={showUnseen} className="pointer-events-auto rounded-full shadow-md">
              {formatCount(unseen)} new above
            </Button>
          </div>
        )}
      </div>
      {!instead && (
        <Pagination
          first={seen + 1}
          last={rows.standing.end}
          total={view.total}
          atLeast={!view.totalIsExact}
          page={pageOfRow(seen)}
          pageSize={pageSize}
          onPageChange={goToPage}
        />
      )}
    </>
  )
}
