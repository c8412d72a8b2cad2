import type { ColumnId } from './columns/layout.ts'
import { filtersOf, type ListSearch } from '../embed/list-search.ts'

export const exportAddress = '/api/contacts/export.csv'
export const sheetAddress = '/api/contacts/export.xlsx'

/** The query of an export with the list's filters and order, and the columns `shown` or every field. */
export function exportQuery(search: ListSearch, shown?: readonly ColumnId[]): URLSearchParams {
  return new URLSearchParams({
    ...filtersOf(search),
    ...(search.sort && { sort: search.sort }),
    ...(shown && { columns: ['firstName', 'lastName', ...shown].join(',') }),
  })
}
