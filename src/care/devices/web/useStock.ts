import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { StockSearch } from './stock-search.ts'

export const stockPageSize = 50

export const useDevices = ({ show, search, kind, place, page = 1 }: StockSearch) =>
  useQuery(
    orpc.devices.list.queryOptions({
      input: { show: show === 'recalls' ? undefined : show, search, kind, placeId: place, page, limit: stockPageSize },
      placeholderData: keepPreviousData,
    }),
  )

export const useWarnings = () => useQuery(orpc.devices.warnings.queryOptions()).data

export const useDevice = (id: string) => useQuery(orpc.devices.get.queryOptions({ input: { id } }))

/** Keeps what is shown of stock current. */
export function useLiveStock(): void {
  const cache = useQueryClient()
  useLive(['stock'], () => void cache.invalidateQueries({ queryKey: orpc.devices.key() }), { debounceMs: 300 })
}
