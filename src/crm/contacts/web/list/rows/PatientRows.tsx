import { ArrowUp } from 'lucide-react'
import { useEffect, useImperativeHandle, type ReactNode } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { formatCount } from '../../../../../ui/format.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { Pagination } from '../../../../../ui/display/Pagination.tsx'
import { whenIdle } from '../../../../../ui/client/when-idle.ts'
import type { Directory } from '../../embed/directory.ts'
import { pageState } from '../bulk/selection.ts'
import type { ColumnLayout } from '../columns/layout.ts'
import { type ListSearch, pageSize } from '../../embed/list-search.ts'
import type { Density } from '../useDensity.ts'
import { ContactCards } from './ContactCards.tsx'
import { ContactTable } from './ContactTable.tsx'
import { type ListView, pageOfRow } from './list-view.ts'
import { VisibleRows } from './VisibleRows.tsx'
import type { ContactList } from './useContactList.ts'
import { FocusRefuge } from './useFocusFallback.ts'
import { usePatientRows } from './usePatientRows.ts'

const SelectionBar = lazyDialog(
  () => import('../bulk/SelectionBar.tsx'),
  ({ onClear }) => onClear(),
  ({ menu }) => menu !== null,
)

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
  /** Row height and columns, as the toolbar sets them. */
  options: { density: Density; layout: ColumnLayout; onLayout: (layout: ColumnLayout) => void }
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
  options,
  instead,
  isSelecting,
  onSelected,
  ref,
}: PatientRowsProps) {
  const clock = useClock()
  const { isStale, failed, isRetrying, retry, showPages } = contacts
  const { attach, focusFallback, width, rowHeight, count, rows, currentIndex, onOpen, step, ...state } = usePatientRows({
    contacts,
    view,
    search,
    narrow,
    density: options.density,
  })
  const { topPage, selection, toggle, togglePage, clear, isAnySelected, hasBar, unseen, showUnseen } = state
  useImperativeHandle(ref, () => ({ step, clearSelection: clear }), [step, clear])
  useEffect(() => whenIdle(SelectionBar.prepare), [])

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
            ref={attach}
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
                      {...options}
                      room={width}
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
            shown={options.layout.shown}
            directory={directory}
            menu={state.menu}
            setMenu={state.setMenu}
            onSelectMatching={state.selectMatching}
            onClear={() => {
              clear()
              onSelected()
            }}
          />
        )}
        <UnseenButton count={unseen} onClick={showUnseen} />
      </div>
      {!instead && (
        <Pagination
          first={seen + 1}
          last={rows.standing.end}
          total={view.total}
          atLeast={!view.totalIsExact}
          page={pageOfRow(seen)}
          pageSize={pageSize}
          onPageChange={state.goToPage}
        />
      )}
    </>
  )
}

/** Scrolls to the rows that arrived above the ones in sight. */
function UnseenButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    count > 0 && (
      <div className="pointer-events-none absolute inset-x-0 top-11 z-(--z-sticky) flex justify-center">
        <Button size="sm" icon={<ArrowUp />} onClick={onClick} className="pointer-events-auto rounded-full shadow-md">
          {formatCount(count)} new above
        </Button>
      </div>
    )
  )
}
