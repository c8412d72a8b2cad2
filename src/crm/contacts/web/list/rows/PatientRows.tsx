import { ArrowUp } from 'lucide-react'
import { useEffect, useImperativeHandle, type ReactNode } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { formatCount } from '../../../../../ui/format.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { Pagination } from '../../../../../ui/display/Pagination.tsx'
import { whenIdle } from '../../../../../ui/client/when-idle.ts'
import type { Directory } from '../../embed/directory.ts'
import { type ListSearch, pageSize } from '../../embed/list-search.ts'
import type { SelectionMode } from '../ListToolbar.tsx'
import { ContactCards } from './ContactCards.tsx'
import { ContactTable } from './ContactTable.tsx'
import { pageOfRow } from './list-view.ts'
import type { RowDisplay } from '../row-display.ts'
import { VisibleRows } from './VisibleRows.tsx'
import type { LoadedList } from './useContactList.ts'
import { FocusRefuge } from './useFocusFallback.ts'
import { usePatientRows } from './usePatientRows.ts'

const SelectionBar = lazyDialog(
  () => import('../bulk/SelectionBar.tsx'),
  ({ onClear }) => onClear(),
  { isAwaited: ({ bulk }) => bulk.menu !== null },
)

export interface ListHandle {
  step: (by: number) => void
  clearSelection: () => void
}

interface PatientRowsProps {
  contacts: LoadedList
  search: ListSearch
  narrow: boolean
  directory: Directory
  display: RowDisplay
  /** Shown instead of rows when there are none. The selection bar stays, because a bulk change may still be running. */
  instead: ReactNode
  selecting: SelectionMode
  ref: React.Ref<ListHandle>
}

/** The rows with keyboard navigation, the current row, selection and the page in the URL. */
export function PatientRows({ contacts, search, narrow, directory, display, instead, selecting, ref }: PatientRowsProps) {
  const { view, isStale, failed, showPages } = contacts
  const { attach, focusFallback, ...list } = usePatientRows({ contacts, search, narrow, density: display.density })
  const { rows, currentIndex, step, topPage, bulk } = list
  const { clear } = bulk
  useImperativeHandle(ref, () => ({ step, clearSelection: clear }), [step, clear])
  useEffect(() => whenIdle(SelectionBar.prepare), [])

  const seen = rows.standing.first
  const shared = { list, contacts, term: search.search ?? '', directory }

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
                count={list.count}
                rowHeight={list.rowHeight}
                currentIndex={currentIndex}
                failed={failed}
                onPages={isStale ? null : showPages}
              >
                {(drawn) =>
                  narrow ? (
                    <ContactCards {...shared} drawn={drawn} isSelecting={selecting.isOn || list.isAnySelected} />
                  ) : (
                    <ContactTable {...shared} drawn={drawn} display={display} room={list.width} />
                  )
                }
              </VisibleRows>
            </FocusRefuge>
          </div>
        )}
        {list.hasBar && (
          <SelectionBar
            bulk={bulk}
            search={search}
            view={view}
            offersAll={bulk.pageSelected === true && view.total > topPage.length}
            shown={display.layout.shown}
            directory={directory}
            onClear={() => selecting.onChange(false)}
          />
        )}
        <UnseenButton count={list.unseen} onClick={list.showUnseen} />
      </div>
      {!instead && (
        <Pagination
          first={seen + 1}
          last={rows.standing.end}
          total={view.total}
          atLeast={!view.totalIsExact}
          page={pageOfRow(seen)}
          pageSize={pageSize}
          onPageChange={list.goToPage}
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
