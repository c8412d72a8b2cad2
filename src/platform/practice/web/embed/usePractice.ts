import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

export type RoomData = Awaited<ReturnType<Client['practice']['rooms']>>[number]

export type LocationData = Awaited<ReturnType<Client['practice']['locations']>>[number]

/** Rarely changed, and an event announces changes. */
const rarely = { staleTime: 10 * 60_000 }

/** Rooms, inactive ones last. */
export const useRooms = () => useQuery(orpc.practice.rooms.queryOptions(rarely))

/** Locations, inactive ones last. */
export const useLocations = () => useQuery(orpc.practice.locations.queryOptions(rarely))

/** Opening hours by weekday. */
export const useHours = () => useQuery(orpc.practice.hours.queryOptions(rarely))

/** Refreshes them on changes. */
export function useLivePractice(): void {
  const cache = useQueryClient()
  useLive(['practice'], () => void cache.invalidateQueries({ queryKey: orpc.practice.key() }), { debounceMs: 300 })
}
