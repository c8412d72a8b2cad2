import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

export type RoomData = Awaited<ReturnType<Client['practice']['rooms']>>[number]

export type LocationData = Awaited<ReturnType<Client['practice']['locations']>>[number]

/** They change once in a while, and then an event says so. */
const rarely = { staleTime: 10 * 60_000 }

/** Rooms, inactive ones last. */
export const useRooms = () => useQuery(orpc.practice.rooms.queryOptions(rarely))

/** Where the practice is, the locations that are no longer used last. */
export const useLocations = () => useQuery(orpc.practice.locations.queryOptions(rarely))

/** When the practice is open, by day of the week. */
export const useHours = () => useQuery(orpc.practice.hours.queryOptions(rarely))

/** Keeps them true. */
export function useLivePractice(): void {
  const cache = useQueryClient()
  useLive(['practice'], () => void cache.invalidateQueries({ queryKey: orpc.practice.key() }), { debounceMs: 300 })
}
