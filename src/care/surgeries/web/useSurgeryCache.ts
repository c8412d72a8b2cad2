import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import type { SurgeryData, SurgeryInList } from './surgery-data.ts'

interface Listed {
  data: SurgeryInList[]
  isTruncated: boolean
}

/** What the page knows of surgeries, to be changed before and after the server's answer. */
export function useSurgeryCache() {
  const cache = useQueryClient()
  return useMemo(() => {
    const replace = (id: string, by: <One extends SurgeryInList>(before: One) => One) => {
      const inList = <One extends SurgeryInList>(list: One[]) => list.map((one) => (one.id === id ? by(one) : one))
      cache.setQueriesData<Listed>({ queryKey: orpc.surgeries.list.key() }, (before) => before && { ...before, data: inList(before.data) })
      cache.setQueriesData<SurgeryData[]>({ queryKey: orpc.surgeries.ofContact.key() }, (before) => before && inList(before))
      cache.setQueryData(orpc.surgeries.get.queryKey({ input: { id } }), (before) => before && by(before))
    }
    return {
      /** Shows what is hoped for. */
      show: (id: string, part: Partial<SurgeryData>) => replace(id, (before) => ({ ...before, ...part })),
      /** Shows what the server has said. */
      put: (surgery: SurgeryData) => replace(surgery.id, (before) => ({ ...before, ...surgery })),
      /** Asks for all of it again. */
      refresh: () => void cache.invalidateQueries({ queryKey: orpc.surgeries.key() }),
    }
  }, [cache])
}
