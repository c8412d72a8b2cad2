import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { Combobox } from '../../../ui/controls/Combobox.tsx'
import { useDebounced } from '../../../ui/hooks/useDebounced.ts'

/** Spec 9: the search debounce. */
const [minLetters, debounce] = [2, 300]

interface ItemFieldProps {
  label: string
  itemId: string | null
  itemName: string | null
  onChange: (itemId: string | null, itemName: string | null) => void
}

/** Picks the QuickBooks item that a price is sold as, searched by name. */
export function ItemField({ label, itemId, itemName, onChange }: ItemFieldProps) {
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const term = useDebounced(typed, debounce)
  const isSearched = term.length >= minLetters
  const search = useQuery(
    orpc.pos.searchItems.queryOptions({ input: { query: term }, enabled: isSearched, placeholderData: keepPreviousData }),
  )
  const found = isSearched ? (search.data?.items ?? []) : []
  return (
    <Combobox
      aria-label={label}
      value={itemId}
      selected={itemId === null ? null : { value: itemId, label: itemName ?? 'No longer in QuickBooks' }}
      options={found.map(({ qbItemId, name }) => ({ value: qbItemId, label: name }))}
      onValueChange={(value, option) => onChange(value, option?.label ?? null)}
      search={{
        placeholder: 'Search items, 2 letters or more',
        empty: isSearched ? 'No items found' : 'Type 2 letters or more',
        onSearch: setQuery,
        isLoading: typed !== term || (isSearched && search.isFetching),
      }}
      placeholder="No QuickBooks item"
      clearable
    />
  )
}
