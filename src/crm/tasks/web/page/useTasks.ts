import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { filtersOf, sortOf, type TasksSearch } from './tasks-search.ts'

export const pageSize = 50

/** A page of tasks with the counts of all tabs, kept true by the events of the server. */
export function useTaskList(search: TasksSearch) {
  const filters = filtersOf(search)
  const { due = 'open', page = 1 } = search
  const sort = sortOf(search)
  const list = useQuery(
    orpc.tasks.list.queryOptions({ input: { ...filters, due, sort, page, limit: pageSize }, placeholderData: keepPreviousData }),
  )
  const counts = useQuery(orpc.tasks.counts.queryOptions({ input: filters, placeholderData: keepPreviousData }))
  return { list, counts: counts.data }
}

export const useTaskWeek = (search: TasksSearch, from: string) =>
  useQuery(orpc.tasks.week.queryOptions({ input: { ...filtersOf(search), from }, placeholderData: keepPreviousData }))

/** What is overdue moves on with the clock, too. */
export function useLiveTasks(): void {
  const cache = useQueryClient()
  useLive(['task', 'contact', 'people'], () => void cache.invalidateQueries({ queryKey: orpc.tasks.key() }), { debounceMs: 300 })
}
