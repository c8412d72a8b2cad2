import { filterNames } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import { firstReport, type ReportsSearch } from './reports-search.ts'

/** Removes what the report does not have from an address: filters, figures, breakdowns. */
export function soundSearch(search: ReportsSearch): ReportsSearch {
  const { filters, measures, breakdowns } = definitionOf(search.report ?? firstReport)
  const { figure, by, row } = search
  const isFigure = figure !== undefined && Object.hasOwn(measures, figure) && !measures[figure]!.isDerived
  const isBy = isFigure && by !== undefined && Object.hasOwn(breakdowns, by)
  return {
    ...search,
    ...Object.fromEntries(filterNames.map((name) => [name, filters[name] === undefined ? undefined : search[name]])),
    figure: isFigure ? figure : undefined,
    by: isBy ? by : undefined,
    row: isBy ? row : undefined,
  }
}
