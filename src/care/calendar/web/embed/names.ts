import { useMemo } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useDirectory, usePeople } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { assignableRoles } from '../../../../crm/contacts/rules.ts'
import { type RoomData, useLivePractice, useRooms } from '../../../../platform/practice/web/embed/usePractice.ts'

/** The names behind the ids of what is in a calendar. */
export interface Names {
  people: readonly Person[]
  rooms: readonly RoomData[]
}
export interface KnownNames extends Names {
  /** Who sees patients, and operates. */
  providers: readonly Person[]
}

const none: readonly never[] = []

/** The staff and the rooms, and who of them sees patients. */
export function useNames(): KnownNames {
  const { people } = useDirectory()
  const rooms = useRooms().data ?? none
  useLivePractice()
  return useMemo(() => {
    const providers = people.filter(({ role }) => assignableRoles.assignedProviderId.some((wanted) => wanted === role))
    return { people, rooms, providers }
  }, [people, rooms])
}

/** Nothing can be booked without the staff: how to ask again where they have not come; undefined where they have, or may yet. */
export function useMissingStaff() {
  const { isError, data, refetch, isFetching } = usePeople()
  return isError && !data ? { isGone: false, retry: () => void refetch(), isRetrying: isFetching } : undefined
}

/** Null where there is none. */
export function providerName(id: string | null, { people }: Pick<Names, 'people'>): string | null {
  if (id === null) return null
  const person = people.find((one) => one.id === id)
  return person?.fullName ?? (people.length > 0 ? 'Former staff' : null)
}

export const roomName = (id: string | null, { rooms }: Pick<Names, 'rooms'>): string | null =>
  rooms.find((room) => room.id === id)?.name ?? null

/** Providers that may be chosen; the one that there is may stay, whatever has become of them. */
export function providerOptions(names: KnownNames, kept: string | null) {
  const options = names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))
  if (kept === null || options.some(({ value }) => value === kept)) return options
  return [...options, { value: kept, label: providerName(kept, names) ?? 'Former staff' }]
}

export const roomOptions = ({ rooms }: Names, kept: string | null) =>
  rooms.filter(({ id, isActive }) => isActive || id === kept).map(({ id, name }) => ({ value: id, label: name }))
