import { useMemo } from 'react'
import { useDirectory } from '../../contacts/web/embed/useDirectory.ts'
import { assignableRoles } from '../../contacts/rules.ts'
import { useLivePractice, useRooms } from '../../practice/web/embed/usePractice.ts'
import type { Names } from './words.ts'

const none: readonly never[] = []

/** The staff and the rooms, and who of them sees patients. */
export function useNames(): Names & { providers: Names['people'] } {
  const { people } = useDirectory()
  const rooms = useRooms().data ?? none
  useLivePractice()
  return useMemo(() => {
    const providers = people.filter(({ role }) => assignableRoles.assignedProviderId.some((wanted) => wanted === role))
    return { people, rooms, providers }
  }, [people, rooms])
}
