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
import { isEmptySelection, pageState } from '../bulk/selection.ts'
import { useIsChanging } from '../bulk/useBulkChange.ts'
import { useSelection } from '../bulk/useSelection.ts'
import type { ColumnLayout } from '../columns/layout.ts'
import { filtersOf, type ListSearch, pageSize } from '../../embed/list-search.ts'
import type { Density } from '../useDensity.ts'
import { ContactCards } from './ContactCards.tsx'
import { ContactTable } from './ContactTable.tsx'
import { firstOfPage, indexOf, type ListView, pageOfRow, rowCount } from './list-view.ts'
import { VisibleRows } from './VisibleRows.tsx'
import type { ContactList } from './useContactList.ts'
import { useCurrentRow } from './useCurrentRow.ts'
import { FocusRefuge } from './useFocusFallback.ts'
import { useListKeys } from './useListKeys.ts'
import { useIdsBetween } from './useIdsBetween.ts'
import { useInitialPlace, useKeptPlace } from './useScrollPosition.ts'
import { usePageInUrl } from './usePageInUrl.ts'
import { useScrollAnchor } from './useScrollAnchor.ts'
import { useVirtualRows } from './useVirtualRows.ts'

const SelectionBar = lazyDialog(
  () => import('../bulk/SelectionBar.tsx'),
  ({ onClear }) => onClear(),
  ({ menu }) => menu !== null,
)

/** In px, as tokens.css has them. */
const [head, card, rowHeights] = [34, 68, { default: 44, compact: 36 }]
/** Space below the last row, in px, so that the selection bar does not cover it. */
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
  /** Shown instead of rows when there are none. The selection bar stays, because a bulk change may still be running. */
  instead: ReactNode
  /** A tap on a card selects it. */
  isSelecting: boolean
  /** The selection was cleared. */
  onSelected: () => void
  ref: React.Ref<ListHandle>
}

/** The rows with keyboard navigation, the current row, selection and the page in the URL. */
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
  const focusFallback = useRef<HTMLDivElement>(null)
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
  const isAnySelected = !isEmptySelection(selection)
  // A running bulk change outlives the selection, this page and a reload.
  const hasBar = useIsChanging() || isAnySelected
  const rows = useVirtualRows({
    scroller,
    count,
    rowHeight,
    head: narrow ? 0 : head,
    foot: hasBar ? barRoom : 0,
    initialTop: initial.top,
  })
  const { unseen, showUnseen } = useScrollAnchor({ scroller, view, rows, current, page: search.page ?? 1, isSettled })
  usePageInUrl(search, rows, isStale)

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
              focusFallback.current = element
            }}
            tabIndex={-1}
            aria-busy={isStale}
            className={cn(
              // An opaque background lets the browser scroll without repainting.
              'relative min-h-0 flex-1 overflow-y-auto bg-surface outline-none [overflow-anchor:none]',
              isStale && 'opacity-60 transition-opacity delay-200',
            )}
          >
            <FocusRefuge value={focusFallback}>
              <VisibleRows
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
              </VisibleRows>
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
