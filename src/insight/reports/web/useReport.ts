import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePages } from '../../../ui/client/usePages.ts'
import type { ReportsSearch, WebAsk } from './reports-search.ts'

/** One report. Reckoned again on demand and when the page is opened again, not with each change: numbers that move are not read. */
export const useReport = (input: WebAsk) => useQuery(orpc.reports.run.queryOptions({ input, staleTime: 60_000 }))

export const useChoices = () => useQuery(orpc.reports.choices.queryOptions({ staleTime: 5 * 60_000 }))

/** The records behind a number, the latest first, a page at a time. */
export const useRecords = (ask: WebAsk, { figure = '', by, row }: Pick<ReportsSearch, 'figure' | 'by' | 'row'>) =>
  usePages(orpc.reports.records, { ...ask, measure: figure, breakdown: by, row })

/** One's own saved reports and the shared ones. */
export function useSaved() {
  const cache = useQueryClient()
  useLive(['saved-report'], () => void cache.invalidateQueries({ queryKey: orpc.reports.saved.key() }))
  return useQuery(orpc.reports.saved.queryOptions({ staleTime: 5 * 60_000 }))
}
