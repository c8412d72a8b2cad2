import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { usePages } from '../../../ui/client/usePages.ts'
import type { ReportsSearch, WebAsk } from './reports-search.ts'

/** A report. Refreshed on demand and on reopening, not on each change: moving numbers are hard to read. */
export const useReport = (input: WebAsk) => useQuery(orpc.reports.run.queryOptions({ input, staleTime: 60_000 }))

export const useChoices = () => useQuery(orpc.reports.choices.queryOptions({ staleTime: 5 * 60_000 }))

/** Records behind a number, newest first, page by page. */
export const useRecords = (ask: WebAsk, { figure = '', by, row }: Pick<ReportsSearch, 'figure' | 'by' | 'row'>) =>
  usePages(orpc.reports.records, { ...ask, measure: figure, breakdown: by, row })

/** The user's saved reports and shared ones. */
export function useSaved() {
  const cache = useQueryClient()
  useLive(['saved-report'], () => void cache.invalidateQueries({ queryKey: orpc.reports.saved.key() }))
  return useQuery(orpc.reports.saved.queryOptions({ staleTime: 5 * 60_000, enabled: usePermission()('reports.saved') }))
}
