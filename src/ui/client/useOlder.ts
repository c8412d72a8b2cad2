import { useEffect, useState } from 'react'

interface Pages {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/**
 * Asks for the next page of a list, and goes on asking while the list is read again in the meantime: the library drops a page that is on its way when
 * what was shown before has changed, and takes no wish while it reads.
 */
export function useOlder(list: Pages): { isBusy: boolean; more: () => void } {
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
