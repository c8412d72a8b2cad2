import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { recentPatients } from '../../../../ui/client/recent-patients.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { useSettled } from '../../../../ui/hooks/useSettled.ts'

export type Match = Awaited<ReturnType<Client['contacts']['find']>>['data'][number]

/** Shorter than the pause between two keys of most people: the answer to a key is there before the next one. */
const pause = 50

/**
 * The patients that are meant by what was typed so far; before anything is typed, those who were opened last. What was found for the text
 * before stays until the next answer. An answer is known by its question, so that a late one replaces nothing, and what is no longer asked
 * for is called off.
 */
export function usePatientMatches(query: string) {
  const { user } = useSession()
  const [recent] = useState(() => (user ? recentPatients(user.id) : []))
  const typed = query.trim()
  const search = useSettled(typed, pause)
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
