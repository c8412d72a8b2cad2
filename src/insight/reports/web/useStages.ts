import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'

/** Funnel stages; empty until loaded. */
export const useStages = () => useQuery(orpc.pipeline.stages.queryOptions({ staleTime: 10 * 60_000 })).data ?? none
const none: never[] = []
