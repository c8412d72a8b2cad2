import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Placed } from './moved-labels.ts'

/** What appointments and surgeries have in common, as they arrive in the browser: instants are ISO strings. */
export interface Booking {
  id: string
  version: number
  contact: { id: string; firstName: string; lastName: string }
  startsAt: string
  endsAt: string
  status: string
}

export const patientName = ({ contact }: Pick<Booking, 'contact'>): string => `${contact.firstName} ${contact.lastName}`

/** A kind of booking, as far as what is done with both of them has to know it. */
export interface BookingKind<Data extends Booking> {
  noun: 'appointment' | 'surgery'
  queries: {
    key: () => QueryKey
    list: { key: () => QueryKey }
    ofContact: { key: () => QueryKey }
    get: { queryKey: (options: { input: { id: string } }) => QueryKey }
  }
  placeOf: (booking: Data) => Placed
  /** The fields that a place stands for. */
  fieldsOf: (place: Placed) => Partial<Data>
}

/** What the page knows of bookings, to be changed before and after the server's answer. */
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
      /** Shows what is hoped for. */
      show,
      /** Shows what the server has said. */
      put: (booking: Data) => show(booking.id, booking),
      /** Asks for all of it again. */
      refresh: () => void cache.invalidateQueries({ queryKey: queries.key() }),
    }
  }, [cache, queries])
}
