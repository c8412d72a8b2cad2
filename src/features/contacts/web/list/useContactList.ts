import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../web/api.ts'
import { useLive } from '../../../../web/live.ts'
import { filtersOf, type ListSearch, listInputOf } from './list-search.ts'

/** Spec 9: however many changes arrive, the list is asked for once in this time. */
const liveDebounce = 1000

/**
 * A page of the list, kept true by the events of the server. While another page or filter is on its way, the rows shown before stay. A
 * search stops counting early; the exact number is asked for beside it and takes the place of the first one when it comes.
 */
export function useContactList(search: ListSearch) {
  const cache = useQueryClient()
  const list = useQuery(orpc.contacts.list.queryOptions({ input: listInputOf(search), placeholderData: keepPreviousData }))
  const uncounted = list.data?.totalIsExact === false && !list.isPlaceholderData
  const count = useQuery(orpc.contacts.count.queryOptions({ input: filtersOf(search), enabled: uncounted }))

  useLive(
    ['contact'],
    () => {
      void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
      void cache.invalidateQueries({ queryKey: orpc.contacts.count.key() })
    },
    { debounceMs: liveDebounce },
  )

  const counted = uncounted ? count.data?.total : undefined
  return {
    page: list.data && {
      ...list.data,
      total: counted ?? list.data.total,
      totalIsExact: list.data.totalIsExact || counted !== undefined,
    },
    /** The rows belong to what was asked for before. */
    isStale: list.isPlaceholderData,
    error: list.error,
    isRetrying: list.isFetching,
    retry: () => void list.refetch(),
  }
}

export type ContactListPage = NonNullable<ReturnType<typeof useContactList>['page']>
