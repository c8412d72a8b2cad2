import { useClock, useSession } from '../../../ui/client/session.ts'
import { today } from '../../../ui/format.ts'
import { Toolbar, ToolbarDays, ToolbarSelect } from '../../../ui/display/Toolbar.tsx'
import { type FilterName, filterNames } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import { groupsFor } from './report-groups.ts'
import { comparedPeriods, type PeriodName, periodNames } from '../rules.ts'
import { firstReport, periodLabels, type ReportsSearch, switchedTo } from './reports-search.ts'
import { useChoices } from './useReport.ts'

interface ReportToolbarProps {
  search: ReportsSearch
  onChange: (part: ReportsSearch) => void
  /** Report picker, when the list has no room. */
  narrow: boolean
}

const periods = periodNames.map((value) => ({ value, label: periodLabels[value] }))

/** Report, period and filters. */
export function ReportToolbar({ search, onChange, narrow }: ReportToolbarProps) {
  const clock = useClock()
  const { user } = useSession()
  const { data: choices } = useChoices()
  const report = search.report ?? firstReport
  const { filters, defaultPeriod } = definitionOf(report)
  const period = search.period ?? defaultPeriod ?? 'last-30-days'

  function choosePeriod(chosen: PeriodName | undefined) {
    if (chosen === undefined) return
    // Choosing other days starts from the current ones.
    const days = comparedPeriods(period, today(clock), search.from && search.to ? { from: search.from, to: search.to } : null).now
    const isDefault = chosen === (defaultPeriod ?? 'last-30-days')
    onChange({
      period: isDefault ? undefined : chosen,
      from: chosen === 'custom' ? days.from : undefined,
      to: chosen === 'custom' ? days.to : undefined,
    })
  }
  const optionsOf: Record<FilterName, { value: string; label: string }[]> = {
    user: (choices?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
    source: (choices?.sources ?? []).map((value) => ({ value, label: value })),
    procedure: (choices?.procedures ?? []).map(({ id, name }) => ({ value: id, label: name })),
    location: (choices?.locations ?? []).map((value) => ({ value, label: value })),
  }
  const shown = filterNames.filter((name) => filters[name] !== undefined && (optionsOf[name].length > 0 || search[name] !== undefined))

  return (
    <Toolbar label="Report" narrow={narrow}>
      {narrow && (
        <ToolbarSelect
          label="Report"
          value={report}
          onChange={(chosen) => onChange(switchedTo(chosen ?? firstReport, search))}
          options={groupsFor(user)
            .flatMap(({ reports }) => reports)
            .map((value) => ({ value, label: definitionOf(value).title }))}
          className="w-44"
        />
      )}
      <ToolbarSelect label="Period" value={period} onChange={choosePeriod} options={periods} className="w-36" />
      {search.period === 'custom' && (
        <ToolbarDays from={search.from} to={search.to} onChange={(side, day) => day && onChange({ [side]: day })} />
      )}
      {shown.map((name) => (
        <ToolbarSelect
          key={name}
          label={filters[name] ?? ''}
          value={search[name]}
          onChange={(value) => onChange({ [name]: value })}
          options={withChosen(optionsOf[name], search[name])}
          any={anyOf[name]}
          className="w-40"
        />
      ))}
    </Toolbar>
  )
}

const anyOf: Record<FilterName, string> = {
  user: 'All staff',
  source: 'All sources',
  procedure: 'All procedures',
  location: 'All locations',
}

/** A filter in the address may no longer be available. */
const withChosen = (options: readonly { value: string; label: string }[], chosen: string | undefined) =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: 'No longer available' }]
