import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import type { StockPlace } from '../../contract.ts'

/** All places of stock, and those that are still used. */
export function usePlaces(): { places: readonly StockPlace[]; active: readonly StockPlace[]; nameOf: (id: string | null) => string } {
  const places = useQuery(orpc.devices.places.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
  return {
    places,
    active: places.filter(({ isActive }) => isActive),
    nameOf: (id) => places.find((place) => place.id === id)?.name ?? '',
  }
}
