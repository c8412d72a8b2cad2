import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { type Client, client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { filtersOf, type ListSearch } from '../embed/list-search.ts'
import { type Columns, loaded, withChanges, withMore } from './columns.ts'

/** A card from the API. */
export type Card = Awaited<ReturnType<Client['contacts']['board']>>['columns'][number]['data'][number]

const [firstCards, moreCards, maxCards] = [25, 50, 200]
/** Milliseconds. The board refreshes at most once in this time, however many events arrive. */
const liveDebounce = 1000
/** Beyond this many changed patients, the whole board is refetched. */
const maxChanges = 100

/**
 * The loaded part of the board, kept up to date by server events: only changed patients are refetched and moved to their places. `hold`
 * defers changes, so that nothing moves while a card is being dragged.
 */
export function useBoard(search: ListSearch) {
  const cache = useQueryClient()
  const order = search.order ?? 'latest'
  const input = useMemo(() => ({ ...filtersOf(search), order }), [search, order])
  const key = useMemo(() => orpc.contacts.board.key({ input }), [input])
  const board = useQuery<Columns<Card>>({
    queryKey: key,
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      // As deep as before, so that the scroll position still exists when the user returns to the board.
      const known = cache.getQueryData<Columns<Card>>(key) ?? []
      const depth = Math.max(firstCards, ...known.map(({ cards }) => cards.length))
      return loaded((await client.contacts.board({ ...input, limit: Math.min(depth, maxCards) }, { signal })).columns)
    },
  })

  const update = useCallback(
    (change: (columns: Columns<Card>) => Columns<Card>) => cache.setQueryData<Columns<Card>>(key, (now) => now && change(now)),
    [cache, key],
  )

  const [loading, setLoading] = useState<ReadonlyMap<string, 'loading' | 'failed'>>(new Map())
  const more = useCallback(
    async (stageId: string): Promise<void> => {
      const mark = (state: 'loading' | 'failed' | null) =>
        setLoading((now) => new Map([...now].filter(([id]) => id !== stageId).concat(state ? [[stageId, state]] : [])))
      const cursor = cache.getQueryData<Columns<Card>>(key)?.find((column) => column.stageId === stageId)?.nextCursor ?? undefined
      mark('loading')
      try {
        const next = await client.contacts.boardColumn({ ...input, stage: stageId, limit: moreCards, cursor })
        update((columns) => withMore(columns, stageId, cursor, next))
        mark(null)
      } catch {
        mark('failed')
      }
    },
    [cache, key, input, update],
  )

  const holding = useRef(0)
  /** The ids of changed patients to refetch; null for all. */
  const waiting = useRef<Set<string> | null>(new Set())

  const look = useCallback(async () => {
    const ids = waiting.current
    waiting.current = new Set()
    if (ids?.size === 0) return
    if (ids === null || ids.size > maxChanges) return cache.invalidateQueries({ queryKey: key })
    try {
      const { columns: now } = await client.contacts.board({ ...input, limit: maxCards, ids: [...ids] })
      if (holding.current > 0) for (const id of ids) waiting.current?.add(id)
      else update((columns) => withChanges(columns, ids, now, order))
    } catch {
      await cache.invalidateQueries({ queryKey: key })
    }
  }, [cache, key, input, order, update])

  const changed = useCallback(
    (ids: ReadonlySet<string> | null) => {
      waiting.current = ids && waiting.current && waiting.current.union(ids)
      if (holding.current === 0) void look()
    },
    [look],
  )
  useLive(['contact'], changed, { debounceMs: liveDebounce })

  return {
    columns: board.data,
    order,
    /** The cards belong to the previous search. */
    isStale: board.isPlaceholderData,
    error: board.error,
    isRetrying: board.isFetching,
    retry: () => void board.refetch(),
    update,
    more,
    loading,
    /** Refreshes the board after changes to these patients. */
    changed,
    hold: useCallback(() => void holding.current++, []),
    release: useCallback(() => {
      if (--holding.current === 0) void look()
    }, [look]),
  }
}

export type Board = ReturnType<typeof useBoard>
