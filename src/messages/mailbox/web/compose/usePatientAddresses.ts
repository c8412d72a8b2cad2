import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useSettled } from '../../../../ui/hooks/useSettled.ts'
import type { Person } from '../../rules.ts'

/** Milliseconds: the answer to a key is there before most people press the next. */
const pause = 120
const most = 6

export type PatientAddress = Person & { id: string; firstName: string; lastName: string }

/** Patients whom someone may mean who is still typing, as far as they have an address. */
export function usePatientAddresses(typed: string, isWanted: boolean): PatientAddress[] {
  const search = useSettled(typed.trim(), pause)
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
