import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

export type VisitTypeData = Awaited<ReturnType<Client['availability']['visitTypes']>>[number]
export type EquipmentData = Awaited<ReturnType<Client['availability']['equipment']>>[number]
export type StaffHoursData = Awaited<ReturnType<Client['availability']['staffHours']>>[number]
export type WeeklySpanData = StaffHoursData['weekly'][number]
export type ExceptionData = StaffHoursData['exceptions'][number]

/** Rarely changed, and an event announces changes. */
const rarely = { staleTime: 10 * 60_000 }

/** Visit types in order, inactive ones last. */
export const useVisitTypes = () => useQuery(orpc.availability.visitTypes.queryOptions(rarely))

/** Equipment, inactive items last. */
export const useEquipment = () => useQuery(orpc.availability.equipment.queryOptions(rarely))

/** Hours and time off of staff who have any. */
export const useStaffHours = () => useQuery(orpc.availability.staffHours.queryOptions(rarely))

/** Refreshes them on changes. */
export function useLiveAvailability(): void {
  const cache = useQueryClient()
  useLive(['practice'], () => void cache.invalidateQueries({ queryKey: orpc.availability.key() }), { debounceMs: 300 })
}
