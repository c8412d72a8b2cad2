import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'

/** The practice's card readers; none while unknown. */
export function useReaders() {
  const { data } = useQuery(orpc.cardTerminal.readers.queryOptions({ staleTime: 60_000, retry: false }))
  return data ?? []
}
