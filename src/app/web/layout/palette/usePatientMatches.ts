import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { recentPatients } from '../../../../ui/client/recent-patients.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'

export type Match = Awaited<ReturnType<Client['contacts']['find']>>['data'][number]

/** Milliseconds: shorter than most people's pause between two keys, so results arrive before the next key. */
const pause = 50

/**
 * The patients that match the query; without a query, recently opened ones. Previous results stay until new ones arrive. Responses are
 * matched to their query, so a late one replaces nothing, and outdated requests are cancelled.
 */
export function usePatientMatches(query: string) {
  const { user } = useSession()
  const [recent] = useState(() => (user ? recentPatients(user.id) : []))
  const typed = query.trim()
  const search = useDebounced(typed, pause)
  const found = useQuery(
    orpc.contacts.find.queryOptions({
      input: { search, recent },
      enabled: search !== '' || recent.length > 0,
      placeholderData: keepPreviousData,
    }),
  )
  const isCurrent = search === typed && !found.isPlaceholderData && !found.isLoading
  return { patients: found.data?.data ?? [], isCurrent, isRecent: search === '', failed: found.isError }
}
