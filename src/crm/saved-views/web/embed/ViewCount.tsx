import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { formatCount } from '../../../../ui/format.ts'
import type { ViewedList } from '../../contract.ts'

/** Milliseconds. The count next to a view's name may lag a little. */
const liveDebounce = 5000

/** The number of patients in a view, '1,000+' beyond the count limit. */
export function ViewCount({ list: { search, filter } }: { list: ViewedList }) {
  const cache = useQueryClient()
  const options = orpc.contacts.tally.queryOptions({ input: { search, filter }, staleTime: 30_000 })
  const { data } = useQuery(options)
  useLive(['contact'], () => void cache.invalidateQueries({ queryKey: options.queryKey }), { debounceMs: liveDebounce })
  return (
    <span className="min-w-4 text-xs font-regular text-fg-3 tabular-nums">
      {data && `${formatCount(data.total)}${data.isExact ? '' : '+'}`}
    </span>
  )
}
