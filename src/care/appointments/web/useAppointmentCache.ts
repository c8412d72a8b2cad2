import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import type { AppointmentData } from './appointment-data.ts'

interface Listed {
  data: AppointmentData[]
  isTruncated: boolean
}

/** What the page knows of appointments, to be changed before and after the server's answer. */
export function useAppointmentCache() {
  const cache = useQueryClient()
  return useMemo(() => {
    const replace = (id: string, by: (before: AppointmentData) => AppointmentData) => {
      const inList = (list: AppointmentData[]) => list.map((one) => (one.id === id ? by(one) : one))
      cache.setQueriesData<Listed>(
        { queryKey: orpc.appointments.list.key() },
        (before) => before && { ...before, data: inList(before.data) },
      )
      cache.setQueriesData<AppointmentData[]>({ queryKey: orpc.appointments.ofContact.key() }, (before) => before && inList(before))
      cache.setQueryData(orpc.appointments.get.queryKey({ input: { id } }), (before) => before && by(before))
    }
    return {
      /** Shows what is hoped for. */
      show: (id: string, part: Partial<AppointmentData>) => replace(id, (before) => ({ ...before, ...part })),
      /** Shows what the server has said. */
      put: (appointment: AppointmentData) => replace(appointment.id, () => appointment),
      /** Asks for all of it again. */
      refresh: () => void cache.invalidateQueries({ queryKey: orpc.appointments.key() }),
    }
  }, [cache])
}
