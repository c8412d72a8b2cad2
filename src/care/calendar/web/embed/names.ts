import { useMemo } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useDirectory, usePeople } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { assignableRoles } from '../../../../crm/contacts/rules.ts'
import { type RoomData, useLivePractice, useRooms } from '../../../../platform/practice/web/embed/usePractice.ts'

/** Staff and rooms, to look up names by id. */
export interface Names {
  people: readonly Person[]
  rooms: readonly RoomData[]
}
export interface KnownNames extends Names {
  /** Staff who see patients and operate. */
  providers: readonly Person[]
}

const none: readonly never[] = []

/** The staff, the rooms, and the staff who see patients. */
export function useNames(): KnownNames {
  const { people } = useDirectory()
  const rooms = useRooms().data ?? none
  useLivePractice()
  return useMemo(() => {
    const providers = people.filter(({ role }) => assignableRoles.assignedProviderId.some((assignable) => assignable === role))
    return { people, rooms, providers }
  }, [people, rooms])
}

/** How to retry if the staff, which booking requires, failed to load; undefined if they are loaded or loading. */
export function useMissingStaff() {
  const { isError, data, refetch, isFetching } = usePeople()
  return isError && !data ? { isGone: false, retry: () => void refetch(), isRetrying: isFetching } : undefined
}

/** The name of a provider, or null. */
export function providerName(id: string | null, { people }: Pick<Names, 'people'>): string | null {
  if (id === null) return null
  const person = people.find((one) => one.id === id)
  return person?.fullName ?? (people.length > 0 ? 'Former staff' : null)
}

export const roomName = (id: string | null, { rooms }: Pick<Names, 'rooms'>): string | null =>
  rooms.find((room) => room.id === id)?.name ?? null

/** Providers to choose from, including the current one even if they have left. */
export function providerOptions(names: KnownNames, current: string | null) {
  const options = names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))
  if (current === null || options.some(({ value }) => value === current)) return options
  return [...options, { value: current, label: providerName(current, names) ?? 'Former staff' }]
}

export const roomOptions = ({ rooms }: Names, current: string | null) =>
  rooms.filter(({ id, isActive }) => isActive || id === current).map(({ id, name }) => ({ value: id, label: name }))
