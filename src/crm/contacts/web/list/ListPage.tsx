import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { useViewToOpen } from '../../../saved-views/web/embed/useViewToOpen.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { shownAsText } from './columns/layout.ts'
import { useColumns } from './columns/useColumns.ts'
import { isFiltered, type ListSearch } from '../embed/list-search.ts'
import { ListFailed, NoMatches, NoPatients, RefreshFailed } from './ListStates.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { type ListHandle, PatientRows } from './rows/PatientRows.tsx'
import { useContactList } from './rows/useContactList.ts'
import { useDensity } from './useDensity.ts'
import { ViewsBar } from './ViewsBar.tsx'

const ViewOpener = lazy(() => import('../../../saved-views/web/embed/ViewOpener.tsx'))

const BoardPage = lazy(() => import('../board/BoardPage.tsx'))

/** /contacts (spec 2): the patients as a list or as a board. All of its state is in the URL. */
export default function ListPage(): ReactNode {
  const search = useSearch({ from: '/staff/contacts' })
  const toOpen = useViewToOpen(search)
  if (toOpen === null && search.layout !== 'board') return <PatientList />
  return <Suspense fallback={<TopbarTitle title="Patients" />}>{toOpen === null ? <BoardPage /> : <ViewOpener id={toOpen} />}</Suspense>
}

function PatientList(): ReactNode {
  const search = useSearch({ from: '/staff/contacts' })
  const navigate = useNavigate({ from: '/contacts' })
  const directory = useDirectory()
  const [density, toggleDensity] = useDensity()
  const contacts = useContactList(search)
  const { view, isStale, error, isRetrying, retry } = contacts
  const list = useRef<ListHandle>(null)
  const [isSelecting, setSelecting] = useState(false)
  // With the sidebar open, a tablet is too narrow for a table, too.
  const narrow = useMedia('(width < 60rem)')

  // Stable, so that the toolbar does not render again while pages load. The second of two quick changes builds on the first.
  const change = useCallback(
    (part: ListSearch, replace = false) =>
      void navigate({ to: '/contacts', search: (before) => ({ ...before, page: undefined, ...part }), replace }),
    [navigate],
  )
  const [layout, setLayout] = useColumns(
    search.columns,
    useCallback((columns) => change({ columns }, true), [change]),
  )
  const rowDisplay = useMemo(
    () => ({ density, onToggleDensity: toggleDensity, layout, onLayout: setLayout }),
    [density, toggleDensity, layout, setLayout],
  )
  const selecting = useMemo(
    () => ({
      isOn: isSelecting,
      onChange(on: boolean) {
        setSelecting(on)
        if (!on) list.current?.clearSelection()
      },
    }),
    [isSelecting],
  )
  const focusFirstRow = useCallback(() => list.current?.step(1), [])

  const isEmpty = view?.total === 0
  const isFirstUse = isEmpty && !isStale && !isFiltered(search)

  return (
    <>
      <TopbarTitle title="Patients" />
      <ViewsBar search={search} columns={shownAsText(layout)} narrow={narrow} isReady={Boolean(view ?? error)} isFirstUse={isFirstUse} />
      {!isFirstUse && (
        <ListToolbar
          search={search}
          directory={directory}
          onChange={change}
          narrow={narrow}
          rows={rowDisplay}
          selecting={selecting}
          onArrowDown={focusFirstRow}
        />
      )}
      {error && view && (isStale || contacts.failed.length === 0) && (
        <RefreshFailed isStale={isStale} retrying={isRetrying} onRetry={retry} />
      )}
      {!view ? (
        error ? (
          <ListFailed error={error} retrying={isRetrying} onRetry={retry} />
        ) : (
          <SkeletonRows rows={14} className="min-h-0 flex-1 overflow-hidden min-[60rem]:pt-(--row-head)" rowClassName="max-[60rem]:h-17" />
        )
      ) : (
        <PatientRows
          ref={list}
          contacts={{ ...contacts, view }}
          search={search}
          narrow={narrow}
          directory={directory}
          display={rowDisplay}
          instead={
            isFirstUse ? (
              <NoPatients />
            ) : isEmpty ? (
              <NoMatches search={search} onClear={() => void navigate({ to: '/contacts', search: { sort: search.sort } })} />
            ) : null
          }
          selecting={selecting}
        />
      )}
    </>
  )
}
