import type { ClientContext } from '@orpc/client'
import type { ProcedureUtils } from '@orpc/tanstack-query'
import { type InfiniteData, keepPreviousData, type QueryKey, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A page of a paginated list (shared/page-lists.ts). */
interface Page {
  nextCursor: string | null
}

interface Options {
  enabled?: boolean
  staleTime?: number
  /** Whether rows of the previous filters stay visible until the new ones load. */
  keepsPrevious?: boolean
}

/** A paginated API list. `older` loads the next page, and keeps its request while the list reloads. */
export function usePages<Input extends { cursor?: string | undefined }, Output extends Page, Failure>(
  call: ProcedureUtils<ClientContext, Input, Output, Failure>,
  input: Omit<Input, 'cursor'>,
  { keepsPrevious = false, ...options }: Options = {},
) {
  const list = useInfiniteQuery<Output, Failure, InfiniteData<Output, string | undefined>, QueryKey, string | undefined>(
    call.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...input, cursor }) as Input,
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page: Output) => page.nextCursor ?? undefined,
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
      ...options,
    }),
  )
  return { list, older: useOlder(list) }
}

/** All rows of the loaded pages. */
export const rowsOf = <Row>(data: { pages: readonly { data: readonly Row[] }[] } | undefined): Row[] =>
  data?.pages.flatMap((page) => page.data) ?? []

type Pages = Pick<UseInfiniteQueryResult<InfiniteData<unknown>>, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError'> & {
  data: { pages: readonly unknown[] } | undefined
  fetchNextPage: () => Promise<unknown>
}

/** The library cancels a page request when earlier data changes, and ignores requests while it is loading. */
function useOlder(list: Pages): { isBusy: boolean; more: () => void } {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const pages = list.data?.pages.length ?? 0
  /** Number of requested pages; 0 if the loaded ones suffice. */
  const [wanted, setWanted] = useState(0)
  if (wanted !== 0 && (pages >= wanted || !hasNextPage)) setWanted(0)
  const isMissing = wanted > pages && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (isMissing) void fetchNextPage()
  }, [isMissing, fetchNextPage])
  return {
    isBusy: wanted > pages && isFetching,
    more: () => {
      setWanted(pages + 1)
      if (!isFetching) void fetchNextPage()
    },
  }
}
