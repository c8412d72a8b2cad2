import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useWidth } from '../../../../../ui/hooks/useWidth.ts'
import { filtersOf, type ListSearch } from '../../embed/list-search.ts'
import { isEmptySelection } from '../bulk/selection.ts'
import { useIsChanging } from '../bulk/useBulkChange.ts'
import { useSelection } from '../bulk/useSelection.ts'
import type { Density } from '../useDensity.ts'
import { firstOfPage, indexOf, pageOfRow, rowCount } from './list-view.ts'
import type { LoadedList } from './useContactList.ts'
import { useCurrentRow } from './useCurrentRow.ts'
import { useIdsBetween } from './useIdsBetween.ts'
import { useListKeys } from './useListKeys.ts'
import { usePageInUrl } from './usePageInUrl.ts'
import { useScrollAnchor } from './useScrollAnchor.ts'
import { useInitialPlace, useKeptPlace } from './useScrollPosition.ts'
import { useVirtualRows } from './useVirtualRows.ts'

/** In px, as tokens.css has them. */
const [head, card, rowHeights] = [34, 68, { default: 44, compact: 36 }]
/** Space below the last row, in px, so that the selection bar does not cover it. */
const barRoom = 80

interface Options {
  contacts: LoadedList
  search: ListSearch
  narrow: boolean
  density: Density
}

/** The rows' state: scroll position, current row, selection, keys, and the page in the URL. */
export function usePatientRows({ contacts: { view, isStale, isSettled }, search, narrow, density }: Options) {
  const navigate = useNavigate()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const focusFallback = useRef<HTMLDivElement>(null)
  const attach = useCallback((element: HTMLDivElement | null) => {
    setScroller(element)
    focusFallback.current = element
  }, [])
  const width = useWidth(scroller)
  const rowHeight = narrow ? card : rowHeights[density]
  const count = rowCount(view)

  const initial = useInitialPlace(search, rowHeight)
  const { current, currentIndex, setCurrent, focusRow } = useCurrentRow(view, initial.row)
  const topPage = useMemo(() => view.pages.get(search.page ?? 1)?.map(({ id }) => id) ?? [], [view, search.page])
  const { place, idsBetween } = useIdsBetween(view, search)
  const bulk = useSelection({
    page: topPage,
    pageOf: (id) => (place(id) < 0 ? [] : (view.pages.get(pageOfRow(place(id)))?.map((row) => row.id) ?? [])),
    idsBetween,
    current,
    shown: JSON.stringify(filtersOf(search)),
  })
  const isAnySelected = !isEmptySelection(bulk.selection)
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

  const { moveToRow } = rows
  const goToPage = useCallback((page: number) => moveToRow(firstOfPage(page)), [moveToRow])

  return {
    attach,
    focusFallback,
    width,
    rowHeight,
    count,
    rows,
    currentIndex,
    /** The tab stop. */
    stopIndex: currentIndex ?? rows.standing.first,
    onOpen,
    step,
    goToPage,
    unseen,
    showUnseen,
    topPage,
    bulk,
    isAnySelected,
    hasBar,
  }
}

export type PatientRowsState = ReturnType<typeof usePatientRows>
