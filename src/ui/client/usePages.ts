import type { ClientContext } from '@orpc/client'
import type { ProcedureUtils } from '@orpc/tanstack-query'
import { type InfiniteData, keepPreviousData, type QueryKey, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A page of a list that is walked (shared/page-lists.ts). */
interface Page {
  nextCursor: string | null
}

interface Options {
  enabled?: boolean
  staleTime?: number
  /** Whether the rows of other filters stay in sight until those asked for are there. */
  keepsPrevious?: boolean
}

/** A list of the API that is walked, a page at a time. `older` asks for the next page, and goes on asking while the list is read again. */
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

/** All rows of the pages that are there. */
export const rowsOf = <Row>(data: { pages: readonly { data: readonly Row[] }[] } | undefined): Row[] =>
  data?.pages.flatMap((page) => page.data) ?? []

type Pages = Pick<UseInfiniteQueryResult<InfiniteData<unknown>>, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError'> & {
  data: { pages: readonly unknown[] } | undefined
  fetchNextPage: () => Promise<unknown>
}

/** The library drops a page that is on its way when what was shown before has changed, and takes no wish while it reads. */
function useOlder(list: Pages): { isBusy: boolean; more: () => void } {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const pages = list.data?.pages.length ?? 0
  /** How many pages are wished for; 0 when those that are there will do. */
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
