import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { isFiltered, type ListSearch } from '../embed/list-search.ts'
import { ListFailed, NoMatches, NoPatients, RefreshFailed } from '../list/ListStates.tsx'
import { ListToolbar } from '../list/ListToolbar.tsx'
import { ViewsBar } from '../list/ViewsBar.tsx'
import { Board } from './Board.tsx'
import { BoardSkeleton } from './BoardSkeleton.tsx'
import { useBoard } from './useBoard.ts'

/** /contacts?layout=board: patients in one column per stage, with the search and filters of the list. */
export default function BoardPage(): ReactNode {
  const search = useSearch({ from: '/staff/contacts' })
  const navigate = useNavigate({ from: '/contacts' })
  const directory = useDirectory()
  const board = useBoard(search)
  const narrow = useMedia('(width < 60rem)')
  const cards = useRef<{ enter: () => void }>(null)
  const { columns, error, isRetrying, retry, isStale } = board

  const isEmpty = columns?.every(({ total }) => total === 0)
  const isFirstUse = isEmpty && !isStale && !isFiltered(search)
  const change = (part: ListSearch, replace = false) =>
    void navigate({ to: '/contacts', search: (before) => ({ ...before, ...part }), replace })

  return (
    <>
      <TopbarTitle title="Patients" />
      <ViewsBar search={search} narrow={narrow} isReady={Boolean(columns ?? error)} isFirstUse={isFirstUse} />
      {!isFirstUse && (
        <ListToolbar search={search} directory={directory} onChange={change} narrow={narrow} onArrowDown={() => cards.current?.enter()} />
      )}
      {error && columns && <RefreshFailed retrying={isRetrying} onRetry={retry} />}
      {!columns || directory.stages.length === 0 ? (
        error ? (
          <ListFailed error={error} retrying={isRetrying} onRetry={retry} />
        ) : (
          <BoardSkeleton />
        )
      ) : isFirstUse ? (
        <NoPatients />
      ) : isEmpty && !isStale ? (
        <NoMatches
          search={search}
          onClear={() => void navigate({ to: '/contacts', search: { layout: 'board', order: search.order, sort: search.sort } })}
        />
      ) : (
        <Board ref={cards} board={board} columns={columns} search={search} directory={directory} />
      )}
    </>
  )
}
