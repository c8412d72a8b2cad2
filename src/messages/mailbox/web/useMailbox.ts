import { keepPreviousData, type Query, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { codeOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useConcernsMail } from './connection.ts'
import { rowsOf } from './thread-pages.ts'
import type { ThreadPage } from './mailbox-data.ts'

/** Milliseconds: how long a list stays cached for someone who returns to it. */
const keptFor = 30 * 60_000

/** A provider's refusal would repeat at once; the page retries after a while (useTrouble). */
const toProvider = {
  retry: (failures: number, error: unknown) =>
    failures < 2 && navigator.onLine && !codes.includes(codeOf(error) ?? '') && (statusOf(error) === 0 || statusOf(error) >= 500),
  gcTime: keptFor,
}
const codes = ['AWAY', 'BUSY', 'RECONNECT', 'NOT_CONNECTED']

const isPaged = ({ queryKey }: Query) => (queryKey[1] as { type?: string } | undefined)?.type === 'infinite'

/** Reloads visible data on every mailbox event. Later pages are not reloaded: each would be a provider call. */
export function useLiveMailbox(): void {
  const cache = useQueryClient()
  const concernsMail = useConcernsMail()
  useLive(
    ['mailbox'],
    (ids) => {
      void cache.invalidateQueries({ queryKey: orpc.mailbox.drafts.key() })
      if (!concernsMail(ids)) return
      for (const part of [orpc.mailbox.folders, orpc.mailbox.threads, orpc.mailbox.thread]) {
        void cache.invalidateQueries({ queryKey: part.key(), predicate: (query) => !isPaged(query) })
      }
    },
    // By then it is known whether it is the same mailbox (useNewMail).
    { debounceMs: 300 },
  )
}

/** Reloads the connection when a response says that it has changed. */
export function useHeedRefusals(): void {
  const cache = useQueryClient()
  useEffect(
    () =>
      cache.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const code = codeOf(event.action.error)
        if (code === 'RECONNECT' || code === 'NOT_CONNECTED') void cache.invalidateQueries({ queryKey: orpc.mailbox.connection.key() })
      }),
    [cache],
  )
}

export const useFolders = (isConnected: boolean) => useQuery(orpc.mailbox.folders.queryOptions({ ...toProvider, enabled: isConnected }))

export interface Asked {
  /** Undefined: a search in all folders. */
  folder: string | undefined
  search: string | undefined
  unread: boolean
}

/** Threads, newest first. The first page is reloaded on each event; the others are loaded once. */
export function useThreads({ folder, search, unread }: Asked, isWanted: boolean) {
  const cache = useQueryClient()
  const input = { folder, search, unread: unread ? ('true' as const) : undefined }
  const first = useQuery(
    orpc.mailbox.threads.queryOptions({
      ...toProvider,
      input,
      enabled: isWanted,
      placeholderData: search === undefined ? undefined : keepPreviousData,
    }),
  )
  const paged = orpc.mailbox.threads.infiniteOptions({
    ...toProvider,
    input: (cursor: string | undefined) => ({ ...input, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: ThreadPage) => page.nextCursor ?? undefined,
    enabled: false,
    staleTime: Infinity,
  })
  const below = useInfiniteQuery(paged)
  const pages = below.data?.pages
  const rows = useMemo(() => first.data && rowsOf(first.data, pages ?? []), [first.data, pages])

  return {
    first,
    rows,
    hasMore: first.data?.nextCursor != null && (pages === undefined || below.hasNextPage),
    isLoadingMore: below.isFetching,
    moreFailed: below.isFetchNextPageError,
    more: () => {
      if (!first.data || first.isPlaceholderData) return
      if (!pages) cache.setQueryData(paged.queryKey, { pages: [first.data], pageParams: [undefined] })
      // The provider no longer knows the cursor: later pages are reloaded from the first.
      else if (below.isFetchNextPageError && statusOf(below.error) >= 400 && statusOf(below.error) < 500)
        cache.setQueryData(paged.queryKey, { pages: [first.data], pageParams: [undefined] })
      void below.fetchNextPage({ cancelRefetch: false })
    },
  }
}
export type Threads = ReturnType<typeof useThreads>

export const useThread = (id: string, isConnected: boolean) =>
  useQuery(orpc.mailbox.thread.queryOptions({ ...toProvider, input: { id }, enabled: isConnected }))

/** Unsent drafts; stored here, so available even when the provider is not. */
export const useDrafts = () => useQuery(orpc.mailbox.drafts.queryOptions())

/** The provider or connection problem of all visible data; null when all is well. */
export function useTrouble(): { error: Error; at: number; hasData: boolean } | null {
  const cache = useQueryClient().getQueryCache()
  const state = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => {
      const failed = cache.findAll({ queryKey: orpc.mailbox.key(), type: 'active' }).filter(isInTrouble)
      // Stale data that is still shown comes first: data that failed to load shows its own error.
      return (failed.find((query) => query.state.data !== undefined) ?? failed[0])?.state ?? null
    },
  )
  return state?.error ? { error: state.error, at: state.errorUpdatedAt, hasData: state.data !== undefined } : null
}

/** Background requests fail silently (spec 8). */
function isInTrouble({ queryKey, state: { error, status } }: Query): boolean {
  const name = (queryKey[0] as readonly string[]).at(-1)
  if (status !== 'error' || name === 'newMessages' || name === 'connection') return false
  return codeOf(error) === 'AWAY' || codeOf(error) === 'BUSY' || statusOf(error) === 0 || statusOf(error) >= 500
}
