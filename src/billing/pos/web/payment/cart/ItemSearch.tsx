import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { useDebounced } from '../../../../../ui/hooks/useDebounced.ts'
import type { PosItem } from '../../../contract.ts'
import { minQueryLength, LookUp, searchDebounce } from '../LookUp.tsx'
import { priceOfText } from './typed-amounts.ts'

/** Item search. Each pick goes into the cart, and the search stays open. */
export function ItemSearch({
  onAdd,
  without = [],
}: {
  onAdd: (item: PosItem) => void
  /** Ids of items not to offer. */ without?: readonly string[]
}) {
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const term = useDebounced(typed, searchDebounce)
  const search = useQuery(
    orpc.pos.searchItems.queryOptions({
      input: { query: term },
      enabled: term.length >= minQueryLength,
      placeholderData: keepPreviousData,
    }),
  )
  const items = (search.data?.items ?? []).filter(({ qbItemId }) => !without.includes(qbItemId))
  return (
    <LookUp
      query={query}
      onQueryChange={setQuery}
      listLabel="Items"
      placeholder="Search items, 2 letters or more"
      results={{
        loading: typed !== term || search.isPending || search.isPlaceholderData,
        found: items.map((item) => ({
          key: item.qbItemId,
          label: item.name,
          detail: item.description !== item.name ? item.description : undefined,
          aside: formatMoney(priceOfText(String(item.unitPrice))),
        })),
        empty: `No items found for "${typed}"`,
        failed: search.error ? { message: messageOf(search.error), retry: () => void search.refetch() } : null,
      }}
      onChoose={(id) => {
        const item = items.find(({ qbItemId }) => qbItemId === id)
        if (item) onAdd(item)
      }}
    />
  )
}
