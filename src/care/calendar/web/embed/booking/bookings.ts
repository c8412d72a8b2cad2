import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { IdentifiedPatient } from '../../../../../crm/contacts/web/embed/PatientIdentity.tsx'
import type { Slot } from './move-labels.ts'

/** The patient of a booking, or of one that is about to be made. */
export interface BookedPatient extends IdentifiedPatient {
  id: string
}

/** Another patient with the same name and a booking on the same day. */
export interface Namesake {
  id: string
  dateOfBirth: string | null
}

/** The common part of appointments and surgeries as the API returns them: instants are ISO strings. */
export interface Booking {
  id: string
  version: number
  contact: BookedPatient & { namesakes: readonly Namesake[] }
  startsAt: string
  endsAt: string
  status: string
}

export const patientName = ({ contact }: Pick<Booking, 'contact'>): string => `${contact.firstName} ${contact.lastName}`

/** What the shared code needs to know about appointments or surgeries. */
export interface BookingKind<Data extends Booking> {
  noun: 'appointment' | 'surgery'
  queries: {
    key: () => QueryKey
    list: { key: () => QueryKey }
    ofContact: { key: () => QueryKey }
    get: { queryKey: (options: { input: { id: string } }) => QueryKey }
  }
  slotOf: (booking: Data) => Slot
  /** The fields of a slot. */
  fieldsOf: (slot: Slot) => Partial<Data>
}

/** Updates bookings in the query cache, before and after the response. */
export function useBookingCache<Data extends Booking>({ queries }: BookingKind<Data>) {
  const cache = useQueryClient()
  return useMemo(() => {
    const show = (id: string, part: Partial<Data>) => {
      const merge = (one: Data): Data => (one.id === id ? { ...one, ...part } : one)
      cache.setQueriesData<{ data: Data[] }>(
        { queryKey: queries.list.key() },
        (before) => before && { ...before, data: before.data.map(merge) },
      )
      cache.setQueriesData<Data[]>({ queryKey: queries.ofContact.key() }, (before) => before?.map(merge))
      cache.setQueryData<Data>(queries.get.queryKey({ input: { id } }), (before) => before && merge(before))
    }
    return {
      /** Shows an optimistic change. */
      show,
      /** Shows the server's version. */
      put: (booking: Data) => show(booking.id, booking),
      /** Refetches all bookings. */
      refresh: () => void cache.invalidateQueries({ queryKey: queries.key() }),
    }
  }, [cache, queries])
}
