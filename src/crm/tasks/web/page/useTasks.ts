import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { filtersOf, sortOf, type TasksSearch } from './tasks-search.ts'

export const pageSize = 50

/** A page of tasks and the counts of all tabs. */
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

/** Keeps the tasks up to date with live events. */
export function useLiveTasks(): void {
  const cache = useQueryClient()
  useLive(['task', 'contact', 'people'], () => void cache.invalidateQueries({ queryKey: orpc.tasks.key() }), { debounceMs: 300 })
}
