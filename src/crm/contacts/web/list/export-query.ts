import type { ColumnId } from './columns/layout.ts'
import { filtersOf, type ListSearch } from '../embed/list-search.ts'

export const exportAddress = '/api/contacts/export.csv'
export const sheetAddress = '/api/contacts/export.xlsx'

/** Asks for what the list shows, in its order: with the columns `shown`, or with every field. */
export function exportQuery(search: ListSearch, shown?: readonly ColumnId[]): URLSearchParams {
  return new URLSearchParams({
    ...filtersOf(search),
    ...(search.sort && { sort: search.sort }),
    ...(shown && { columns: ['firstName', 'lastName', ...shown].join(',') }),
  })
}
