import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'
import type { Person } from '../../rules.ts'

/** Milliseconds: results arrive before most people press the next key. */
const pause = 120
const most = 6

export type PatientAddress = Person & { id: string; firstName: string; lastName: string }

/** Patients with an address that match the typed text. */
export function usePatientAddresses(typed: string, isWanted: boolean): PatientAddress[] {
  const search = useDebounced(typed.trim(), pause)
  const { data } = useQuery(
    orpc.contacts.find.queryOptions({
      input: { search, recent: [] },
      enabled: isWanted && search !== '',
      placeholderData: keepPreviousData,
    }),
  )
  if (typed.trim() === '') return []
  return (data?.data ?? [])
    .flatMap(({ id, firstName, lastName, email }) =>
      email ? [{ id, name: `${firstName} ${lastName}`.trim(), email, firstName, lastName }] : [],
    )
    .slice(0, most)
}
