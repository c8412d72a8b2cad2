import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { orpc } from '../../../../../ui/client/api.ts'
import { useLive } from '../../../../../ui/client/live.ts'
import { filtersOf, type ListSearch, listInputOf } from '../../embed/list-search.ts'
import { type ListView, withPages } from './list-view.ts'

/** Milliseconds. The list is refetched at most once in this time, however many changes arrive (spec 9). */
const liveDebounce = 1000
/** Pages further away than this are dropped, so that scrolling through a million rows does not keep them all in memory. */
const keptPages = 20

/** The key of the list's search and order, without the page. */
const keyOf = (search: ListSearch): string => JSON.stringify({ ...search, page: undefined })

/**
 * The list, loaded page by page as they become visible, and kept up to date by server events. The previous rows stay while another search
 * loads. A search stops counting at a limit; the exact total is fetched separately and replaces it.
 */
export function useContactList(search: ListSearch) {
  const cache = useQueryClient()
  const key = keyOf(search)
  const [seen, setSeen] = useState({ key, pages: [search.page ?? 1] })
  const wanted = seen.key === key ? seen.pages : [search.page ?? 1]
  const results = useQueries({
    queries: wanted.map((page) => orpc.contacts.list.queryOptions({ input: listInputOf({ ...search, page }) })),
  })

  const [held, setHeld] = useState<ListView | null>(null)
  const asked = results.map(({ data, isFetching, dataUpdatedAt }, at) => ({
    page: wanted[at]!,
    rows: data?.data,
    total: data?.total ?? 0,
    totalIsExact: data?.totalIsExact ?? false,
    isFetching,
    at: dataUpdatedAt,
  }))
  const view = withPages(held, key, asked)
  if (view !== held) setHeld(view)

  const isStale = view !== null && view.key !== key
  const uncounted = view !== null && !view.totalIsExact && !isStale
  const count = useQuery(orpc.contacts.count.queryOptions({ input: filtersOf(search), enabled: uncounted }))
  const counted = uncounted ? count.data?.total : undefined

  useLive(
    ['contact'],
    () => {
      void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
      void cache.invalidateQueries({ queryKey: orpc.contacts.count.key() })
    },
    { debounceMs: liveDebounce },
  )

  const middle = wanted[0] ?? 1
  useEffect(() => {
    cache.removeQueries({ queryKey: orpc.contacts.list.key(), type: 'inactive', predicate: ({ queryKey }) => isFar(queryKey, middle) })
  }, [cache, middle])

  const failed = results.flatMap(({ error, data }, at) => (error && !data ? [wanted[at]!] : []))
  const ask = (wants: (result: (typeof results)[number]) => boolean) => {
    for (const result of results) if (wants(result)) void result.refetch()
  }
  return {
    view: useMemo(() => (view && counted !== undefined ? { ...view, total: counted, totalIsExact: true } : view), [view, counted]),
    /** The rows belong to the previous search. */
    isStale,
    /** No request for the shown rows is pending. */
    isSettled: !count.isFetching && !results.some(({ isFetching }) => isFetching),
    /** Pages that could not be loaded. */
    failed,
    error: results.find(({ error }) => error)?.error ?? null,
    isRetrying: results.some(({ isFetching, error }) => isFetching && error),
    retry: () => ask(({ error }) => error !== null),
    /** Loads the pages that have become visible. */
    showPages: useCallback(
      (pages: number[]) => setSeen((now) => (now.key === key && now.pages.join() === pages.join() ? now : { key, pages })),
      [key],
    ),
  }
}

type ContactList = ReturnType<typeof useContactList>

/** The list once its first page has loaded. */
export type LoadedList = ContactList & { view: ListView }

function isFar(queryKey: readonly unknown[], middle: number): boolean {
  const options = queryKey[1]
  const input: unknown = typeof options === 'object' && options !== null && 'input' in options ? options.input : null
  const page: unknown = typeof input === 'object' && input !== null && 'page' in input ? input.page : null
  return typeof page === 'number' && Math.abs(page - middle) > keptPages
}
